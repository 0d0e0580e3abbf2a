package library

import (
	"fmt"
	"sync"
)

// denied are folders that a source may not look into, those of another user, as a rule, who ran the agent in this one's home; and files
// about its sessions that can't be read.
type denied struct {
	mu    sync.Mutex
	first error
	all   map[string]bool
}

func (d *denied) add(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.all == nil {
		d.all, d.first = map[string]bool{}, err
	}
	d.all[err.Error()] = true
}

// err says so; nil if there are none.
func (d *denied) err(agent string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch len(d.all) {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("sessions of %s, or what is known of them, may be missing, since a place can't be looked into: %w", agent, d.first)
	}
	return fmt.Errorf("sessions of %s, or what is known of them, may be missing, since %d places can't be looked into: %w, …", agent, len(d.all), d.first)
}

// lacks tells of folders that the last search could not look into.
func (s *shelf) lacks() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unseen
}
