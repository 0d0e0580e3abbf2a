package scan

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
)

func (s *Scanner) readAll(ctx context.Context, todo []Item) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan Item)
	var wg sync.WaitGroup
	for range min(s.opts.Workers, len(todo)) {
		wg.Go(func() {
			for item := range next {
				if err := s.one(ctx, item); err != nil {
					stop(err)
				}
			}
		})
	}
	var given []string
	for _, item := range todo {
		if s.gate.paused() { // others may read then
			if err := s.opts.Catalog.Settle(ctx); err != nil {
				stop(err)
			}
		}
		if err := s.gate.pass(ctx); err != nil {
			stop(err)
		}
		if ctx.Err() != nil {
			break
		}
		select {
		case next <- item:
			given = append(given, item.ID)
		case <-ctx.Done():
		}
	}
	close(next)
	wg.Wait()
	if err := s.opts.Catalog.Settle(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	if len(given) > 0 && s.opts.Read != nil {
		s.opts.Read(given)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// one reads a session. One that can't be read holds up no other: only what makes all others fail, too, is an error.
func (s *Scanner) one(ctx context.Context, item Item) error {
	began := s.opts.Now()
	err := s.read(ctx, item)
	switch {
	case ctx.Err() != nil:
		return nil //nolint:nilerr // whoever ended it knows why
	case errors.Is(err, errCancelled):
		return err
	case err != nil:
		if err = s.opts.Catalog.Skip(ctx, item, err); err != nil && ctx.Err() == nil {
			return fmt.Errorf("session %s: %w", item.ID, err)
		}
	}
	s.ended(item, s.opts.Now().Sub(began))
	return nil
}

// read turns a panic into an error.
func (s *Scanner) read(ctx context.Context, item Item) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a mistake in the program: %v\n%s", r, debug.Stack())
		}
	}()
	return s.opts.Catalog.Read(ctx, item, func() error { return s.gate.pass(ctx) })
}
