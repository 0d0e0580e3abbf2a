package scan

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestWhoDoesNotKeepRests: while another process keeps the index in step and nothing happens, nothing is told and no session is looked for.
// What may have changed is looked for when that is wanted, and when the other has written.
func TestWhoDoesNotKeepRests(t *testing.T) {
	for _, keeps := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newShop("a")
			var told, lists, others atomic.Int64
			opts := s.options()
			if !keeps {
				opts.Lock = func() (func(), bool, error) { return nil, false, nil }
			}
			opts.Changed = func() { told.Add(1) }
			opts.Others = func(context.Context) (int64, error) { return others.Load(), nil }
			opts.Catalog = &counted{s, &lists}
			x := New(opts)
			keep(t, x)
			time.Sleep(time.Minute)
			if lists.Load() != 1 {
				t.Errorf("it keeps it: %t. At first all were looked for %d times", keeps, lists.Load())
			}
			told.Store(0)
			lists.Store(0)
			time.Sleep(time.Hour)
			if told.Load() != 0 || lists.Load() != 0 {
				t.Errorf("it keeps it: %t. In an hour in which nothing happened, %d were told and all were looked for %d times", keeps, told.Load(), lists.Load())
			}
			x.Want()
			time.Sleep(time.Minute)
			if lists.Load() != 1 {
				t.Errorf("it keeps it: %t. Wanted, all were looked for %d times", keeps, lists.Load())
			}
			told.Store(0)
			others.Add(1)
			time.Sleep(time.Minute)
			if lists.Load() != 2 || told.Load() == 0 {
				t.Errorf("it keeps it: %t. When others have written, all were looked for %d times, and %d told", keeps, lists.Load()-1, told.Load())
			}
			if read := s.took(); !keeps && len(read) > 0 {
				t.Errorf("%v were read, by two", read)
			}
		})
	}
}

// counted counts how often all are looked for.
type counted struct {
	*shop
	lists *atomic.Int64
}

func (c *counted) List(ctx context.Context, further func() bool) (Listing, error) {
	c.lists.Add(1)
	return c.shop.List(ctx, further)
}

// TestTakingOverReads: what was only looked for while another process read is read once that has ended.
func TestTakingOverReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop("a")
		var ended atomic.Bool
		opts := s.options()
		opts.Lock = func() (func(), bool, error) { return func() {}, ended.Load(), nil }
		x := New(opts)
		keep(t, x)
		x.Want()
		time.Sleep(time.Minute)
		ended.Store(true)
		time.Sleep(time.Minute)
		equal(t, s.took(), []string{"a"})
	})
}

// TestWhatTheOtherFindsIsSeenSoon: what changed for this process did so for the one that keeps the index in step, too. What that notes of it a
// moment later is seen at once, not when this one would have looked anyway.
func TestWhatTheOtherFindsIsSeenSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop("a")
		var lists, others, asked atomic.Int64
		opts := s.options()
		opts.Lock = func() (func(), bool, error) { return nil, false, nil }
		opts.Others = func(context.Context) (int64, error) { asked.Add(1); return others.Load(), nil }
		opts.Catalog = &counted{s, &lists}
		x := New(opts)
		keep(t, x)
		time.Sleep(time.Hour)
		lists.Store(0)
		x.Want()
		time.Sleep(300 * time.Millisecond)
		others.Add(1)
		time.Sleep(700 * time.Millisecond)
		if lists.Load() != 2 {
			t.Errorf("all were looked for %d times", lists.Load())
		}
		time.Sleep(time.Hour)
		asked.Store(0)
		time.Sleep(time.Minute)
		if most := int64(time.Minute / takeOver); asked.Load() > most {
			t.Errorf("while nothing happens, it is asked %d times a minute", asked.Load())
		}
		lists.Store(0)
		for range 60 {
			others.Add(1)
			time.Sleep(time.Second)
		}
		if most := int64(time.Minute / takeOver); lists.Load() > most {
			t.Errorf("while another process writes, all are looked for %d times a minute", lists.Load())
		}
	})
}

// TestNobodyAsksWhereTheSystemTells: whether another process has written, and whether who scanned has ended, is asked when the system says
// that something happened there, and else once in a long while. What happens between two scans is not missed.
func TestNobodyAsksWhereTheSystemTells(t *testing.T) {
	for _, keeps := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newShop("a")
			var lists, others, asked, tried, watching atomic.Int64
			var ended atomic.Bool
			signs := make(chan struct{}, 1)
			opts := s.options()
			opts.Lock = func() (func(), bool, error) { tried.Add(1); return func() {}, keeps || ended.Load(), nil }
			opts.Others = func(context.Context) (int64, error) { asked.Add(1); return others.Load(), nil }
			opts.Watch = func(on bool) <-chan struct{} {
				watching.Store(map[bool]int64{true: 1}[on])
				return signs
			}
			opts.Catalog = &counted{s, &lists}
			x := New(opts)
			keep(t, x)
			time.Sleep(time.Minute)
			asked.Store(0)
			tried.Store(0)
			lists.Store(0)
			time.Sleep(time.Hour)
			if most := int64(time.Hour / takeOverTold); asked.Load() > most || tried.Load() > most || lists.Load() > 0 {
				t.Errorf("it keeps it: %t. In an hour it was asked %d times, and the lock tried %d times", keeps, asked.Load(), tried.Load())
			}
			others.Add(1)
			signs <- struct{}{}
			time.Sleep(2 * time.Second)
			if lists.Load() != 1 {
				t.Errorf("it keeps it: %t. When others have written, all were looked for %d times", keeps, lists.Load())
			}
			time.Sleep(time.Minute)
			lists.Store(0)
			asked.Store(0)
			for range 600 {
				others.Add(1)
				select {
				case signs <- struct{}{}:
				default:
				}
				time.Sleep(time.Second / 10)
			}
			if most := 2 * int64(time.Minute/takeOver); lists.Load() > most || asked.Load() > most {
				t.Errorf("it keeps it: %t. While another process writes, all are looked for %d times a minute, and it is asked %d times", keeps, lists.Load(), asked.Load())
			}
			time.Sleep(time.Minute)
			if lists.Load() == 0 {
				t.Errorf("it keeps it: %t. The last of it was missed", keeps)
			}
			lists.Store(0)
			x.Want()
			s.mu.Lock()
			s.items[0].Stamp = "2"
			s.read = func(string, func() error) error {
				if others.Add(1); watching.Load() == 1 {
					t.Error("the system tells of what is written here")
				}
				return nil
			}
			s.mu.Unlock()
			if ended.Store(true); !keeps {
				signs <- struct{}{}
			}
			time.Sleep(time.Minute)
			if read := s.took(); len(read) == 0 || read[len(read)-1] != "a" {
				t.Errorf("it keeps it: %t. %v were read", keeps, read)
			}
			if lists.Load() < 2 {
				t.Errorf("it keeps it: %t. What another wrote meanwhile was missed", keeps)
			}
		})
	}
}
