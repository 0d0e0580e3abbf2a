package llm

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestAskedAgainUntilItAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		first http.HandlerFunc
	}{
		"5xx":                     {fails(503, `{"error":"busy"}`)},
		"429":                     {fails(429, `{"error":"slower"}`)},
		"cut off before a word":   {torn("data: " + finish("")[:20])},
		"cut off inside a call":   {torn("data: " + calls(`{"index":0,"id":"a","function":{"name":"ls","arguments":"{"}}`) + "\n\n")},
		"no answer":               {torn("")},
		"an error in its place":   {events(`{"error":{"message":"overloaded","code":503}}`)},
		"garbage before any word": {events(`{`)},
	} {
		t.Run(name, func(t *testing.T) {
			client, w := served(t, c.first, c.first, events(say("x"), finish("stop")))
			answer, handed, err := asked(t, client, question())
			if err != nil || answer.Text != "x" {
				t.Fatal(answer, err)
			}
			if strings.Join(handed, " ") != "retry:1 retry:2 text:x" || len(w.list) != 2 {
				t.Errorf("handed on %q, waited %v", handed, w.list)
			}
		})
	}
}

func TestWaitsGrowWithJitterAndAreAnnounced(t *testing.T) {
	client, w := served(t, fails(500, "oops"))
	var announced []time.Duration
	_, err := client.Stream(t.Context(), question(), func(d Delta) {
		if d.Retry == nil || d.Retry.Attempt != len(announced)+1 || !strings.Contains(d.Retry.Reason, "oops") {
			t.Errorf("announced %+v", d.Retry)
			return
		}
		if len(w.list) != len(announced) {
			t.Error("announced after the wait")
		}
		announced = append(announced, d.Retry.In)
	})
	wantError(t, err, ClassNetwork, "500", "oops")
	if len(w.list) != 5 || len(announced) != 5 {
		t.Fatalf("waited %v, announced %v", w.list, announced)
	}
	for i, d := range w.list {
		middle := time.Second << i
		if d != announced[i] || d < middle/2 || d > middle*3/2+1 {
			t.Errorf("wait %d is %s, announced %s, middle %s", i+1, d, announced[i], middle)
		}
	}
	next, seen := newWaits(), map[time.Duration]bool{}
	for range 30 {
		d := next(0)
		if seen[d] = true; d > capWait {
			t.Errorf("waits %s", d)
		}
	}
	if len(seen) < 6 {
		t.Error("no jitter")
	}
}

func TestServersWishIsHonoured(t *testing.T) {
	client, w := served(t, fails(429, "", "Retry-After", "7"), fails(503, "", "Retry-After-Ms", "250", "Retry-After", "9"),
		fails(500, "", "Retry-After", "120"), events(say("x"), finish("stop")))
	if _, _, err := asked(t, client, question()); err != nil {
		t.Fatal(err)
	}
	want := []time.Duration{7 * time.Second, 250 * time.Millisecond, 2 * time.Minute}
	for i, d := range want {
		if w.list[i] != d {
			t.Errorf("waited %v, want %v", w.list, want)
		}
	}
	client, w = served(t, fails(429, "", "Retry-After", "3600"))
	_, handed, err := asked(t, client, question())
	wantError(t, err, ClassThrottled, "1h0m0s")
	if len(w.list) != 0 || len(handed) != 0 {
		t.Errorf("waited %v, handed on %q", w.list, handed)
	}
}

func TestRetryAfterIsRead(t *testing.T) {
	now := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"5": 5 * time.Second, " 1.5 ": 1500 * time.Millisecond, "0": 0, "-3": 0, "NaN": 0, "Inf": ages, "1e300": ages, "soon": 0, "": 0,
		"Mon, 02 Mar 2026 08:00:30 GMT": 30 * time.Second, "Mon, 02 Mar 2026 07:00:00 GMT": 0, "Mon, 02 Mar 2099 08:00:00 GMT": 0,
	} {
		got := retryAfter(http.Header{"Retry-After": {value}}, now)
		if strings.Contains(value, "2099") {
			if got < longestWait {
				t.Errorf("%q: %s", value, got)
			}
			continue
		}
		if got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
	if got := retryAfter(http.Header{"Retry-After-Ms": {"1500"}, "Retry-After": {"9"}}, now); got != 1500*time.Millisecond {
		t.Errorf("milliseconds: %s", got)
	}
	if got := retryAfter(http.Header{"Retry-After-Ms": {"x"}, "Retry-After": {"9"}}, now); got != 9*time.Second {
		t.Errorf("seconds behind nonsense: %s", got)
	}
}

func TestCancelEndsAWaitAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		if err := sleep(t.Context(), time.Hour); err != nil || time.Since(begin) != time.Hour {
			t.Errorf("slept %s: %v", time.Since(begin), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begin = time.Now()
		if err := sleep(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != time.Second {
			t.Errorf("slept %s: %v", time.Since(begin), err)
		}
	})
	client, _ := served(t, fails(503, "", "Retry-After", "100"))
	client.options.Sleep = sleep
	ctx, cancel := context.WithCancel(t.Context())
	_, err := client.Stream(ctx, question(), func(Delta) { cancel() })
	wantError(t, err, ClassCancelled, "stopped")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v is not the context's", err)
	}
}

func TestCancelEndsAnAnswer(t *testing.T) {
	client, w := served(t, func(w http.ResponseWriter, r *http.Request) {
		raw("data: "+say("so far")+"\n\n")(w, r)
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
		<-r.Context().Done()
	})
	why := errors.New("the user pressed Escape")
	ctx, cancel := context.WithCancelCause(t.Context())
	answer, err := client.Stream(ctx, question(), func(Delta) { cancel(why) })
	wantError(t, err, ClassCancelled, "Escape")
	if answer.Text != "so far" || !errors.Is(err, why) {
		t.Errorf("%+v, %v", answer, err)
	}
	_, err = client.Stream(ctx, question(), nil)
	wantError(t, err, ClassCancelled)
	if len(w.list) != 0 {
		t.Error("asked again")
	}
}

func TestNobodyListens(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	w := &waits{}
	client := New(NewEndpoint("http://"+address, environment()), Options{Sleep: w.sleep})
	_, _, err = asked(t, client, question())
	wantError(t, err, ClassNetwork, address+" can't be reached: ", "is it running?")
	if strings.Contains(err.Error(), "dial tcp") {
		t.Errorf("%v: that is said in plain words", err)
	}
	if len(w.list) != maxRetries || errors.Unwrap(err) == nil {
		t.Errorf("%d tries, %v", len(w.list), errors.Unwrap(err))
	}
	_, err = client.Models(t.Context())
	wantError(t, err, ClassNetwork, "is it running?")
}

// failing fails every request in one way.
type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

func TestWhatTheNetworkSays(t *testing.T) {
	for name, c := range map[string]struct {
		err   error
		class Class
		says  string
	}{
		"no such host": {&net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "example.com"}}, ClassNetwork, "no such host"},
		"timeout":      {errors.New("net/http: timeout awaiting response headers"), ClassNetwork, "timeout"},
		"no TLS there": {http.ErrSchemeMismatch, ClassRefused, "HTTPS"},
		"the key":      {errors.New("odd: " + testKey), ClassNetwork, "[key]"},
	} {
		w := &waits{}
		client := New(Endpoint{BaseURL: "https://example.com/v1", Key: testKey}, Options{HTTP: failing{c.err}, Sleep: w.sleep})
		_, err := client.Stream(t.Context(), question(), nil)
		wantError(t, err, c.class, "example.com can't be reached", c.says)
		if strings.Contains(err.Error(), "running") {
			t.Errorf("%s: %v", name, err)
		}
		if (len(w.list) == maxRetries) != (c.class == ClassNetwork) {
			t.Errorf("%s: waited %v", name, w.list)
		}
	}
}

func TestCertificateThatNobodyTrustsIsNotAskedAgain(t *testing.T) {
	server := httptest.NewUnstartedServer(events(finish("stop")))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	w := &waits{}
	_, err := New(Endpoint{BaseURL: server.URL + "/v1"}, Options{Sleep: w.sleep}).Stream(t.Context(), question(), nil)
	wantError(t, err, ClassRefused, "certificate")
	if len(w.list) > 0 {
		t.Error("asked again")
	}
}
