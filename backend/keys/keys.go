// Package keys knows which key may go to which address: from the environment or else from the system's keychain, never
// from a file. A key in the keychain is kept under the scheme, host and port that it was entered for, so that another
// address, be it under the same name, is never sent it.
package keys

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Keychain keeps secrets by account. Get returns [ErrNone] for an account without one.
type Keychain interface {
	Get(account string) (string, error)
	Set(account, secret string) error
	Delete(account string) error
}

var (
	// ErrNone is returned for an account that has no key.
	ErrNone = errors.New("no key is kept")
	// ErrKeychain is returned where the system has no keychain, or it can't be used.
	ErrKeychain = errors.New("the system's keychain can't be used")
	// ErrKey is returned for what can't be a key.
	ErrKey = errors.New("this can't be a key")
)

// How long a key is waited for, and how long it holds, or that there is none: another process may have kept or removed one
// since. A keychain may ask its user to unlock it meanwhile, which takes as long as it takes.
const (
	patience  = 3 * time.Second
	keyHolds  = time.Minute
	noneHolds = 20 * time.Second
)

// Keys asks a keychain once in a while for each account. The zero value has no keychain.
type Keys struct {
	Chain Keychain

	mu    sync.Mutex
	known map[string]*answer
	seen  map[string]bool
}

// answer is what a keychain says of an account, once done is closed.
type answer struct {
	done  chan struct{}
	key   string
	err   error
	since time.Time
}

// Account is what a key for a provider at an address is kept under. It is empty where that is no address. Provider may be
// empty.
func Account(provider, baseURL string) string {
	u, err := url.Parse(baseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	account := u.Scheme + "://" + strings.ToLower(u.Host)
	if provider != "" {
		account = strings.ToLower(provider) + " " + account
	}
	return account
}

// Get is the key of an account, empty if there is none or the keychain does not say in time. The error says why it is
// not known.
func (k *Keys) Get(account string) (string, error) {
	if k.Chain == nil || account == "" {
		return "", nil
	}
	a := k.ask(account)
	waited := time.NewTimer(patience)
	defer waited.Stop()
	select {
	case <-a.done:
	case <-waited.C:
		return "", fmt.Errorf("%w: it has not answered yet", ErrKeychain)
	}
	if errors.Is(a.err, ErrNone) {
		return "", nil
	}
	return a.key, a.err
}

// ask is the answer that is known or on its way, or a new one.
func (k *Keys) ask(account string) *answer {
	k.mu.Lock()
	defer k.mu.Unlock()
	if a := k.known[account]; a != nil && a.holds() {
		return a
	}
	a := &answer{done: make(chan struct{})}
	k.keep(account, a)
	go func() {
		defer close(a.done)
		defer func() { a.since = time.Now() }()
		a.key, a.err = k.Chain.Get(account)
		k.see(a.key)
	}()
	return a
}

// see remembers a key for as long as the program runs: whatever becomes of it, it is not to be shown.
func (k *Keys) see(key string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.seen == nil {
		k.seen = map[string]bool{}
	}
	k.seen[key] = true
}

// Seen are the keys that went through here.
func (k *Keys) Seen() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Collect(maps.Keys(k.seen))
}

func (k *Keys) keep(account string, a *answer) {
	if k.known == nil {
		k.known = map[string]*answer{}
	}
	k.known[account] = a
}

// holds tells whether an answer is still good. One on its way is.
func (a *answer) holds() bool {
	select {
	case <-a.done:
		if a.key != "" {
			return time.Since(a.since) < keyHolds
		}
		return time.Since(a.since) < noneHolds
	default:
		return true
	}
}

// Refused has the keychain asked again where this key is from: the server does not take it, and a better one may be there by
// now.
func (k *Keys) Refused(key string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for account, a := range k.known {
		select {
		case <-a.done:
			if a.key == key {
				delete(k.known, account)
			}
		default: // it is on its way, and newer
		}
	}
}

// Set keeps a key for an account. What it returns puts the one back that was there before; nil if none was.
func (k *Keys) Set(account, key string) (back func() error, err error) {
	key = strings.TrimSpace(key)
	if err := check(key); err != nil {
		return nil, err
	}
	was, err := k.change(account, key, func() error { return k.Chain.Set(account, key) })
	return k.back(account, was, key), err
}

// Forget removes the key of an account. That there was none is no error. What it returns puts it back; nil if there was none.
func (k *Keys) Forget(account string) (back func() error, err error) {
	was, err := k.change(account, "", func() error {
		if err := k.Chain.Delete(account); !errors.Is(err, ErrNone) {
			return err
		}
		return nil
	})
	return k.back(account, was, ""), err
}

// change returns the key that was there before, empty where none was or it can't be read. It waits no longer than for a key,
// since a window would; what it waits for may still come to pass.
func (k *Keys) change(account, key string, do func() error) (was string, err error) {
	if k.Chain == nil {
		return "", fmt.Errorf("%w: there is none", ErrKeychain)
	}
	if account == "" {
		return "", fmt.Errorf("%w without an address that it is for", ErrKey)
	}
	k.see(key)
	type outcome struct {
		was string
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		was, _ := k.Chain.Get(account)
		k.see(was)
		err := do()
		k.mu.Lock()
		delete(k.known, account)
		if err == nil {
			a := &answer{done: make(chan struct{}), key: key, since: time.Now()}
			close(a.done)
			k.keep(account, a)
		}
		k.mu.Unlock()
		done <- outcome{was, err}
	}()
	waited := time.NewTimer(changePatience)
	defer waited.Stop()
	select {
	case o := <-done:
		if o.err != nil {
			return "", clean(o.err, key)
		}
		return o.was, nil
	case <-waited.C:
		return "", fmt.Errorf("%w: it has not answered; it may be asking to be unlocked", ErrKeychain)
	}
}

// changePatience lets the user unlock a keychain.
const changePatience = 60 * time.Second

// clean takes a key out of what somebody else says about it.
func clean(err error, key string) error {
	if err == nil || key == "" || !strings.Contains(err.Error(), key) {
		return err
	}
	return fmt.Errorf("%w: it does not take this key", ErrKeychain)
}

// check lets through what can stand in a header. What is wrong is said without the key.
func check(key string) error {
	const most = 2048 // what every keychain takes
	switch {
	case key == "":
		return fmt.Errorf("%w: it is empty", ErrKey)
	case len(key) > most:
		return fmt.Errorf("%w: it is longer than %d bytes", ErrKey, most)
	case strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return fmt.Errorf("%w: it holds blanks or characters that no key has", ErrKey)
	}
	return nil
}
