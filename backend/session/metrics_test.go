package session

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"palimpsest/backend/record"
)

func answered(more string) string {
	return `{"recordType":"message","role":"assistant","content":[{"type":"text","text":"x"}]` + more + `}`
}

func metricsOf(t testing.TB, s *Store, id string) string {
	t.Helper()
	m, err := s.Metadata(id)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(m.Spent())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestMetrics(t *testing.T) {
	const (
		unknown = `"input":null,"output":null,"cacheRead":null,"cacheWrite":null,"total":null,"contextTokens":null,"cost":null`
		usage   = `,"usage":{"input":10,"output":5,"cacheRead":3,"cacheWrite":2`
		branch  = `{"recordType":"branch","fromSeq":0}`
	)
	for name, test := range map[string]struct {
		records []string
		want    string
	}{
		"nothing":         {nil, unknown + `,"compactions":0,"turns":0`},
		"no usage":        {[]string{user("a"), answered(""), user("b")}, unknown + `,"compactions":0,"turns":2`},
		"without a price": {[]string{user("a"), answered(usage + "}")}, `"input":10,"output":5,"cacheRead":3,"cacheWrite":2,"total":20,"contextTokens":20,"cost":null,"compactions":0,"turns":1`},
		"priced, two": {
			[]string{answered(usage + `,"cost":0.25}`), answered(`,"usage":{"input":1,"output":1,"cost":0.5}`)},
			`"input":11,"output":6,"cacheRead":3,"cacheWrite":2,"total":22,"contextTokens":2,"cost":0.75,"untoldKinds":{"cacheRead":1,"cacheWrite":1},"compactions":0,"turns":0`,
		},
		"priced in part": {
			[]string{answered(usage + `,"cost":0.25}`), answered(usage + `}`), answered(usage + `,"cost":1}`)},
			`"input":30,"output":15,"cacheRead":9,"cacheWrite":6,"total":60,"contextTokens":20,"cost":null,"compactions":0,"turns":0`,
		},
		"one without a report": {
			[]string{answered(`,"model":"m"`), answered(usage + `,"cost":1}`)},
			`"input":10,"output":5,"cacheRead":3,"cacheWrite":2,"total":20,"contextTokens":20,"cost":null,"untold":1,"compactions":0,"turns":0`,
		},
		"stopped without a report": {
			[]string{answered(usage + `,"cost":1}`), answered(`,"model":"m","stopReason":"aborted"`)},
			`"input":10,"output":5,"cacheRead":3,"cacheWrite":2,"total":20,"contextTokens":20,"cost":null,"untold":1,"compactions":0,"turns":0`,
		},
		"failed before it began": {
			[]string{answered(usage + `,"cost":1}`), `{"recordType":"message","role":"assistant","content":[],"model":"m","stopReason":"error"}`},
			`"input":10,"output":5,"cacheRead":3,"cacheWrite":2,"total":20,"contextTokens":20,"cost":1,"compactions":0,"turns":0`,
		},
		"free":         {[]string{answered(usage + `,"cost":0}`)}, `"input":10,"output":5,"cacheRead":3,"cacheWrite":2,"total":20,"contextTokens":20,"cost":0,"compactions":0,"turns":0`},
		"price beyond": {[]string{answered(usage + `,"cost":1e308}`), answered(usage + `,"cost":1e308}`)}, `"input":20,"output":10,"cacheRead":6,"cacheWrite":4,"total":40,"contextTokens":20,"cost":null,"compactions":0,"turns":0`},
		"told in part": {
			[]string{answered(`,"usage":{"input":1,"output":1}`), answered(`,"usage":{"input":1,"cacheRead":0}`)},
			`"input":2,"output":1,"cacheRead":0,"cacheWrite":null,"total":3,"contextTokens":1,"cost":null,"untoldKinds":{"output":1,"cacheRead":1,"cacheWrite":2},"compactions":0,"turns":0`,
		},
		"told of the answer alone": {
			[]string{answered(usage + "}"), answered(`,"usage":{"output":5}`)},
			`"input":10,"output":10,"cacheRead":3,"cacheWrite":2,"total":25,"contextTokens":null,"cost":null,"untoldKinds":{"input":1,"cacheRead":1,"cacheWrite":1},"compactions":0,"turns":0`,
		},
		"on a branch":     {[]string{answered(usage + "}"), branch, user("b")}, `"input":10,"output":5,"cacheRead":3,"cacheWrite":2,"total":20,"contextTokens":null,"cost":null,"compactions":0,"turns":1`},
		"an answer fails": {[]string{answered(usage + "}"), answered(`,"usage":{"input":7,"output":0},"stopReason":"aborted"`)}, `"input":17,"output":5,"cacheRead":3,"cacheWrite":2,"total":27,"contextTokens":20,"cost":null,"untoldKinds":{"cacheRead":1,"cacheWrite":1},"compactions":0,"turns":0`},
		"a compaction": {
			[]string{user("a"), answered(usage + `,"cost":1}`), strings.Replace(compactionOf1, "}", `,"usage":{"input":4,"output":1,"cost":0.5}}`, 1)},
			`"input":14,"output":6,"cacheRead":3,"cacheWrite":2,"total":25,"contextTokens":null,"cost":1.5,"untoldKinds":{"cacheRead":1,"cacheWrite":1},"compactions":1,"turns":1`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, id := newSession(t)
			for _, r := range test.records {
				appendTo(t, s, id, r)
			}
			if diff := cmp.Diff("{"+test.want+"}", metricsOf(t, s, id)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestMetricsAsTheLogTells: counted as they come, or all at once when metadata is rebuilt, they are the same.
func TestMetricsAsTheLogTells(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	s.fsync = func(*os.File) error { return nil }
	rapid.Check(t, func(t *rapid.T) {
		m, err := s.Create(New{})
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 6).Draw(t, "records") {
			cost := ""
			if rapid.Bool().Draw(t, "priced") {
				cost = fmt.Sprintf(`,"cost":%v`, rapid.Float64Range(0, 1e3).Draw(t, "cost"))
			}
			usage := fmt.Sprintf(`,"usage":{"input":%d,"output":%d%s}`, rapid.IntRange(0, 1<<40).Draw(t, "input"), rapid.IntRange(0, 9).Draw(t, "output"), cost)
			line := rapid.SampledFrom([]string{
				user("x"), answered(""), answered(`,"model":"m"`), answered(usage), answered(`,"usage":{"input":1}`), answered(usage + `,"stopReason":"error"`), strings.Replace(compactionOf1, "}", usage+"}", 1), compactionOf1,
			}).Draw(t, "record")
			draft, err := s.Draft([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Append(t.Context(), m.ID, []record.Draft{draft}); err != nil {
				t.Fatal(err)
			}
		}
		before, err := s.Metadata(m.ID)
		if err != nil {
			t.Fatal(err)
		}
		if report, err := s.Check(m.ID); err != nil || report.Metadata != MetadataOK {
			t.Fatalf("%+v, %v", report, err)
		}
		if err := s.Repair(t.Context(), m.ID); err != nil {
			t.Fatal(err)
		}
		after, err := s.Metadata(m.ID)
		if err != nil || before.Spent() == nil || string(before.Metrics) != string(after.Metrics) {
			t.Fatalf("%s, then %s, %v", before.Metrics, after.Metrics, err)
		}
	})
}

// TestForeignMetrics: what others have written there is as if it were not, and is counted anew.
func TestForeignMetrics(t *testing.T) {
	for _, foreign := range []string{
		``, `,"metrics":null`, `,"metrics":7`, `,"metrics":{}`, `,"metrics":{"totalTokens":5}`, `,"metrics":{"turns":-1,"compactions":0}`,
		`,"metrics":{"turns":1,"compactions":0,"input":5}`, `,"metrics":{"turns":1,"compactions":0,"cost":1}`, `,"metrics":{"turns":1,"compactions":0,"untold":-1}`,
		`,"metrics":{"turns":1,"compactions":0,"untoldKinds":{"input":-1}}`,
		`,"metrics":{"turns":1.5,"compactions":0}`, `,"metrics":{"turns":1,"compactions":0,"contextTokens":-4}`,
	} {
		s, id := newSession(t)
		appendTo(t, s, id, user("a"), answered(`,"usage":{"input":10,"output":5}`))
		m, err := s.Metadata(id)
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf(`{"messageCount":2,"log":{"size":%d,"seq":2,"compactions":0}%s}`, m.Log.Size, foreign)
		if err := os.WriteFile(filepath.Join(s.dir(id), "metadata.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if report, err := s.Check(id); err != nil || report.Metadata != MetadataStale {
			t.Errorf("%s: %+v, %v", foreign, report, err)
		}
		appendTo(t, s, id, user("b"))
		want := `{"input":10,"output":5,"cacheRead":null,"cacheWrite":null,"total":15,"contextTokens":15,"cost":null,"untoldKinds":{"cacheRead":1,"cacheWrite":1},"compactions":0,"turns":2}`
		if got := metricsOf(t, s, id); got != want {
			t.Errorf("%s: %s", foreign, got)
		}
	}
}

func TestActiveSeconds(t *testing.T) {
	s, id := newSession(t)
	for _, test := range []struct {
		spent time.Duration
		want  float64
	}{{1_500_000_123, 1.5}, {250 * time.Millisecond, 1.75}, {-time.Second, 1.75}} {
		w := writerOf(t, s, id)
		if err := w.Spent(t.Context(), test.spent); err != nil {
			t.Fatal(err)
		}
		w.Close()
		if m, err := s.Metadata(id); err != nil || *m.ActiveSeconds != test.want {
			t.Errorf("%v, want %v, %v", *m.ActiveSeconds, test.want, err)
		}
	}
	if err := s.Repair(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if m, err := s.Metadata(id); err != nil || *m.ActiveSeconds != 1.75 {
		t.Errorf("after a rebuild: %v, %v", m.ActiveSeconds, err)
	}
}

// TestModelOfMetadata is the last one that the log names, whatever the session was made with.
func TestModelOfMetadata(t *testing.T) {
	s, _ := newSession(t)
	made, err := s.Create(New{Model: "first"})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ record, want string }{
		{user("a"), "first"},
		{`{"recordType":"model","provider":"p","model":"second"}`, "second"},
		{answered(`,"model":"third"`), "third"},
		{user("b"), "third"},
	} {
		appendTo(t, s, made.ID, step.record)
		if m, err := s.Metadata(made.ID); err != nil || m.Model != step.want {
			t.Errorf("after %s: %q, %v", step.record, m.Model, err)
		}
	}
}

// TestAListCountsWhatHasNoMetrics, although the rest is known of the whole log.
func TestAListCountsWhatHasNoMetrics(t *testing.T) {
	s, id := newSession(t)
	appendTo(t, s, id, user("a"))
	m, err := s.Metadata(id)
	if err != nil {
		t.Fatal(err)
	}
	m.Metrics = nil
	if err := writeMetadata(s.dir(id), m); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get(id); err != nil || got.Spent() == nil || got.Spent().Turns != 1 {
		t.Errorf("%+v, %v", got.Spent(), err)
	}
}
