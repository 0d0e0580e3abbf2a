package keys

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zalando/go-keyring"
)

const secret = "sk-test-0123456789"

// chain is a keychain that a test plays.
type chain struct {
	mu    sync.Mutex
	kept  map[string]string
	asked int
	err   error
	slow  time.Duration
}

func (c *chain) Get(account string) (string, error) {
	time.Sleep(c.slow)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++
	if c.err != nil {
		return "", c.err
	}
	if key, ok := c.kept[account]; ok {
		return key, nil
	}
	return "", ErrNone
}

func (c *chain) Set(account, key string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return c.err
	}
	c.kept[account] = key
	return nil
}

func (c *chain) Delete(account string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.kept[account]; !ok {
		return ErrNone
	}
	delete(c.kept, account)
	return c.err
}

func TestAKeyIsBoundToItsAddress(t *testing.T) {
	for _, c := range []struct{ provider, base, want string }{
		{"", "https://API.Example.com/v1", "https://api.example.com"},
		{"Work", "https://api.example.com/other/v1", "work https://api.example.com"},
		{"work", "http://api.example.com/v1", "work http://api.example.com"},
		{"work", "https://api.example.com:8443/v1", "work https://api.example.com:8443"},
		{"work", "", ""},
		{"work", "file:///x", ""},
	} {
		if got := Account(c.provider, c.base); got != c.want {
			t.Errorf("%q %q: %q", c.provider, c.base, got)
		}
	}
	k := &Keys{Chain: &chain{kept: map[string]string{}}}
	if _, err := k.Set(Account("work", "https://a.example.com/v1"), " "+secret+"\n"); err != nil {
		t.Fatal(err)
	}
	for base, want := range map[string]string{
		"https://a.example.com/v2": secret, "https://b.example.com/v1": "", "http://a.example.com/v1": "", "https://a.example.com.evil.example/v1": "",
	} {
		if got, err := k.Get(Account("work", base)); got != want || err != nil {
			t.Errorf("%s: %q, %v", base, got, err)
		}
	}
	if got, _ := k.Get(Account("other", "https://a.example.com/v1")); got != "" {
		t.Error("another provider's key")
	}
}

func TestTheKeychainIsAskedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &chain{kept: map[string]string{"a": secret}}
		k := &Keys{Chain: c}
		for range 3 {
			if key, err := k.Get("a"); key != secret || err != nil {
				t.Error(key, err)
			}
			if key, err := k.Get("b"); key != "" || err != nil {
				t.Error(key, err)
			}
		}
		if c.asked != 2 {
			t.Errorf("asked %d times", c.asked)
		}
		c.kept["b"] = "sk-of-another-process"
		time.Sleep(noneHolds)
		if key, _ := k.Get("b"); key != c.kept["b"] {
			t.Errorf("%q", key)
		}
		// What this process does is known at once.
		if _, err := k.Forget("a"); err != nil {
			t.Error(err)
		}
		if key, _ := k.Get("a"); key != "" || c.asked != 4 { // once for what can be put back
			t.Errorf("%q, asked %d times", key, c.asked)
		}
		if _, err := k.Forget("a"); err != nil {
			t.Error("forgotten twice:", err)
		}
	})
}

// TestASlowKeychainHoldsNobodyUp, and what it says later counts.
func TestASlowKeychainHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := &Keys{Chain: &chain{kept: map[string]string{"a": secret}, slow: time.Minute}}
		begun := time.Now()
		if key, err := k.Get("a"); key != "" || !errors.Is(err, ErrKeychain) || time.Since(begun) != patience {
			t.Errorf("%q, %v after %s", key, err, time.Since(begun))
		}
		time.Sleep(time.Minute)
		if key, err := k.Get("a"); key != secret || err != nil {
			t.Errorf("%q, %v", key, err)
		}
	})
}

func TestWithoutAKeychain(t *testing.T) {
	k := &Keys{}
	if key, err := k.Get("a"); key != "" || err != nil {
		t.Error(key, err)
	}
	if _, err := k.Set("a", secret); !errors.Is(err, ErrKeychain) {
		t.Error(err)
	}
}

// TestErrorsNeverHaveTheKey, whatever the keychain says.
func TestErrorsNeverHaveTheKey(t *testing.T) {
	k := &Keys{Chain: &chain{kept: map[string]string{}, err: errors.New("bad argument " + secret)}}
	if _, err := k.Set("a", secret); !errors.Is(err, ErrKeychain) || strings.Contains(err.Error(), secret) {
		t.Error(err)
	}
	for _, key := range []string{"", " ", secret + " " + secret, secret + "\n" + secret, secret + "é", strings.Repeat(secret, 999)} {
		if _, err := k.Set("a", key); !errors.Is(err, ErrKey) || strings.Contains(err.Error(), secret) {
			t.Error(err)
		}
	}
}

// TestTheSystemsKeychain goes through the library, to its own stand-in.
func TestTheSystemsKeychain(t *testing.T) {
	keyring.MockInit()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	k := &Keys{Chain: System()}
	if _, err := k.Set("a", secret); err != nil {
		t.Fatal(err)
	}
	other := &Keys{Chain: System()}
	if key, err := other.Get("a"); key != secret || err != nil {
		t.Errorf("%q, %v", key, err)
	}
	if _, err := other.Forget("a"); err != nil {
		t.Error(err)
	}
	if key, err := (&Keys{Chain: System()}).Get("a"); key != "" || err != nil {
		t.Errorf("%q, %v", key, err)
	}
	keyring.MockInitWithError(errors.New("locked"))
	if _, err := (&Keys{Chain: System()}).Get("a"); !errors.Is(err, ErrKeychain) || !strings.Contains(err.Error(), "locked") {
		t.Error(err)
	}
}

// TestAKeyThatAnotherProcessChanged is noticed by one that runs on.
func TestAKeyThatAnotherProcessChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &chain{kept: map[string]string{"a": secret}}
		k := &Keys{Chain: c}
		for _, step := range []struct{ kept, want string }{{secret, secret}, {secret + "-new", secret + "-new"}, {"", ""}} {
			c.kept["a"] = step.kept
			if got, err := k.Get("a"); got != step.want || err != nil {
				t.Errorf("%q, want %q, %v", got, step.want, err)
			}
			time.Sleep(keyHolds)
			synctest.Wait()
		}
	})
}

// TestAKeyThatWasRefused is not held any longer, and neither others nor answers on their way are lost.
func TestAKeyThatWasRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &chain{kept: map[string]string{"a": secret, "b": secret + "-b"}}
		k := &Keys{Chain: c}
		for account, key := range c.kept {
			if got, err := k.Get(account); got != key || err != nil {
				t.Errorf("%q, %v", got, err)
			}
		}
		c.kept["a"] = secret + "-better"
		k.Refused(secret)
		if got, _ := k.Get("a"); got != secret+"-better" {
			t.Errorf("%q", got)
		}
		if _, _ = k.Get("b"); c.asked != 3 {
			t.Errorf("asked %d times", c.asked)
		}
	})
}

// TestAKeyThatWasTakenIsPutBack, be it replaced or forgotten; never over one that came since.
func TestAKeyThatWasTakenIsPutBack(t *testing.T) {
	c := &chain{kept: map[string]string{}}
	k := &Keys{Chain: c}
	now := func(want string) {
		t.Helper()
		if got, err := k.Get("a"); got != want || c.kept["a"] != want || err != nil {
			t.Errorf("%q, in the keychain %q, want %q: %v", got, c.kept["a"], want, err)
		}
	}
	none, err := k.Set("a", secret)
	if none != nil || err != nil {
		t.Error("there was none before", err)
	}
	if none, err := k.Set("a", secret); none != nil || err != nil {
		t.Error("it was the same", err)
	}
	replaced, err := k.Set("a", secret+"-new")
	if err != nil {
		t.Fatal(err)
	}
	now(secret + "-new")
	if err := replaced(); err != nil {
		t.Error(err)
	}
	now(secret)
	forgotten, err := k.Forget("a")
	if err != nil {
		t.Fatal(err)
	}
	now("")
	if err := replaced(); !errors.Is(err, ErrOther) {
		t.Error("something else is there by now:", err)
	}
	if err := forgotten(); err != nil {
		t.Error(err)
	}
	now(secret)
	if _, err := k.Forget("a"); err != nil {
		t.Error(err)
	}
	c.kept["a"] = secret + "-of-another-process"
	if err := forgotten(); !errors.Is(err, ErrOther) || strings.Contains(err.Error(), secret) {
		t.Error(err)
	}
	if none, err := k.Forget("b"); none != nil || err != nil {
		t.Error("there was none", err)
	}
	if !slices.Contains(k.Seen(), secret) {
		t.Error("what was replaced may still be said by a server")
	}
}
