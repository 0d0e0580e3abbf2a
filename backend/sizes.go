package backend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"palimpsest/backend/library"
	"palimpsest/backend/overlay"
	"palimpsest/backend/session"
	"palimpsest/backend/tokens"
)

// Sizes is how large the context of a session was at places over all of it, oldest first.
type Sizes struct {
	SessionID string `json:"sessionId"`
	// Window is that of now.
	Window int `json:"window"`
	// Complete is false if time ran out before every place was looked at.
	Complete    bool          `json:"complete"`
	Points      []SizePoint   `json:"points"`
	Compactions []SizesAround `json:"compactions"`
}

// SizePoint is the calibrated size of the context as of one record.
type SizePoint struct {
	Index  int   `json:"index"`
	Seq    int64 `json:"seq"`
	Tokens int   `json:"tokens"`
}

// SizesAround is a compaction with the size before and after it; nil where that is not known.
type SizesAround struct {
	Index  int   `json:"index"`
	Seq    int64 `json:"seq"`
	Before *int  `json:"before"`
	After  *int  `json:"after"`
}

const (
	sizesDefault, sizesMost = 64, 200
	// sizesAround is how many compactions are told of, the last ones.
	sizesAround = 40
	// sizesTime is how long sizes are looked for, and half of it with so many of them.
	sizesTime   = 1500 * time.Millisecond
	sizesEnough = 16
)

// errSizesEnough ends a search for sizes that has gone on for long, and found some.
var errSizesEnough = errors.New("there are sizes enough for now")

// Sizes tells the size of the context at up to so many places (0 for as many as usual), and around the last compactions. Each is what
// [Backend.Context] says as of that record; what takes too long is left out.
func (b *Backend) Sizes(ctx context.Context, id string, points int) (Sizes, error) {
	return b.sizesWithin(ctx, id, points, sizesTime)
}

func (b *Backend) sizesWithin(ctx context.Context, id string, points int, most time.Duration) (Sizes, error) {
	if points <= 0 {
		points = sizesDefault
	}
	v, err := b.glance(id) //nolint:contextcheck // what is found out in the background outlives the request
	if err != nil {
		return Sizes{}, err
	}
	defer v.close()
	told, err := b.inject(id)
	if err != nil {
		return Sizes{}, err
	}
	_, overhead := b.injectedOf(id, &told)
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	log := b.sizing.take(v.file)
	log.reads(readerAt{limited, v.log}, v.index.Size)
	sizer := sizer{log: log, index: &v.index, model: v.model, overhead: overhead, known: map[int]int{}}
	sizer.newest.Model.Model = v.model
	places := placesIn(&v.index, min(points, sizesMost))
	if err = sizer.measureAll(limited, places.order, most/2); err != nil || !library.IsRef(id) { // a reading that is told of whole does not grow
		b.sizing.keep(v.file, log)
	}
	if ctx.Err() != nil {
		return Sizes{}, fmt.Errorf("session %s: %w", id, ctx.Err())
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, errSizesEnough) {
		return Sizes{}, fmt.Errorf("session %s: %w", id, err)
	}
	b.learn(ctx, &sizer.newest, contextWait)
	return Sizes{
		SessionID: id, Window: b.budgetOf(id, &sizer.newest).Window, Complete: err == nil,
		Points: sizer.points(), Compactions: sizer.around(places.compactions),
	}, nil
}

// sizer resolves the context as of lines of one log.
type sizer struct {
	log      *lightLog
	index    *session.Index
	model    string
	overhead int
	known    map[int]int // tokens by index
	newest   overlay.Context
}

// measureAll looks at lines in turn, until soon if that finds enough.
func (s *sizer) measureAll(ctx context.Context, lines []int, soon time.Duration) error {
	began := time.Now()
	for _, i := range lines {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(s.known) >= sizesEnough && time.Since(began) > soon {
			return errSizesEnough
		}
		if err := s.measure(i); err != nil {
			return err
		}
	}
	return nil
}

// measure learns the size as of a line, unless a first look took the line for a record, which it is not.
func (s *sizer) measure(i int) error {
	line := s.index.Lines.At(i)
	end := min(line.Offset+line.Length+1, s.index.Size)
	if size, ok := s.log.sizeAt(end); ok && len(s.known) > 0 {
		s.known[i] = size.with(s.overhead)
		return nil
	}
	s.log.Jump(end)
	entry, err := s.log.Prev()
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if entry.Offset != line.Offset || entry.Seq != line.Seq {
		return nil
	}
	s.log.Jump(end)
	resolved, err := overlay.Resolve(s.log, overlay.Options{Model: s.model})
	if err != nil {
		return err
	}
	if len(s.known) == 0 { // the end is looked at first
		s.newest = resolved
	}
	size := lightSize{resolved.Estimate(), resolved.Calibration}
	s.log.sizes[end] = size
	s.known[i] = size.with(s.overhead)
	return nil
}

// calibrated is the size of a context with what is injected, which is that many tokens.
func calibrated(c *overlay.Context, injected int) int {
	return lightSize{c.Estimate(), c.Calibration}.with(injected)
}

// lightSize is what of a context makes its size.
type lightSize struct {
	estimate    int
	calibration float64
}

func (s lightSize) with(injected int) int { return tokens.Scale(s.estimate+injected, s.calibration) }

func (s *sizer) points() []SizePoint {
	points := make([]SizePoint, 0, len(s.known))
	for i, size := range s.known {
		points = append(points, SizePoint{Index: i, Seq: s.index.Lines.At(i).Seq, Tokens: size})
	}
	slices.SortFunc(points, func(a, b SizePoint) int { return a.Index - b.Index })
	return points
}

func (s *sizer) around(compactions []around) []SizesAround {
	out := make([]SizesAround, 0, len(compactions))
	for _, c := range compactions {
		line := s.index.Lines.At(c.line)
		out = append(out, SizesAround{Index: c.line, Seq: line.Seq, Before: s.at(c.before), After: s.at(c.at)})
	}
	return out
}

func (s *sizer) at(i int) *int {
	if size, ok := s.known[i]; ok {
		return &size
	}
	return nil
}
