package codex

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"palimpsest/backend/edge"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/wellformed"
)

// lendsMost is how large a file may be for a list to wait for what it lends.
const lendsMost = 8 << 20

// lends says what a file is like before ordinals, which are in order. Of a large one at which nobody has looked yet that is put off: until then
// it says what all of the file is like.
func lends(ctx context.Context, env sources.Env, path string, h head, ends []int64) []string {
	info, err := os.Stat(path)
	if err != nil {
		return make([]string, len(ends)) // it has gone since it was found, as the next list says
	}
	of := agent + " lends\n" + fmt.Sprint(ends)
	earlier, some := env.Memory.Earlier(of, path)
	look := func(ctx context.Context) (sources.Told, bool) {
		notes, err := lendsNow(ctx, path, h, ends, earlier.Notes)
		return sources.Told{Notes: notes}, err == nil
	}
	told := sources.Told{}
	if some || info.Size() <= lendsMost {
		told = env.Memory.Recall(of, path, func() (sources.Told, bool) { return look(ctx) })
	} else {
		told, _ = env.Memory.KnownOrLater(of, path, look)
	}
	all := make([]string, len(ends))
	for i := range all {
		all[i] = fmt.Sprintf("%d at %d", info.Size(), info.ModTime().UnixNano())
		if i < len(told.Notes) {
			all[i] = strings.TrimSuffix(told.Notes[i], unended)
		}
	}
	return all
}

// unended is behind what is noted of an ordinal that a file does not come to: what is appended may stand before it.
const unended = " unended"

// lendsNow notes for each ordinal how much stands before it, and a checksum of that. Nothing but that is looked at as long as it is what was
// noted before.
func lendsNow(ctx context.Context, path string, h head, ends []int64, before []string) ([]string, error) {
	file, err := jsonl.Open(path)
	if err != nil {
		return nil, fmt.Errorf("looking at what others go on from: %w", err)
	}
	defer file.Close()
	if len(before) == len(ends) {
		// What is unended is not what was noted before.
		if now, err := lendsUpTo(file, placesIn(before)); err == nil && slices.Equal(now, before) {
			return before, nil
		}
	}
	places, ended := []int64{}, 0
	if h.numbered && strings.HasSuffix(path, ".jsonl") {
		if places, err = placesOf(ctx, file, ends); err != nil {
			return nil, err
		}
		ended = len(places)
	}
	for len(places) < len(ends) {
		places = append(places, file.Size)
	}
	notes, err := lendsUpTo(file, places)
	if err != nil {
		return nil, err
	}
	for i := ended; i < len(notes); i++ {
		notes[i] += unended
	}
	return notes, nil
}

// placesIn are the places that were noted.
func placesIn(notes []string) []int64 {
	places := make([]int64, len(notes))
	for i, note := range notes {
		_, _ = fmt.Sscanf(note, "%d", &places[i]) // as it was written
	}
	return places
}

// lendsUpTo notes what stands before each of these places, which are in order. A file that many go on from is read once.
func lendsUpTo(file *jsonl.File, places []int64) (notes []string, err error) {
	var sum edge.Sum
	for _, place := range places {
		if sum, err = sum.On(file, place); err != nil {
			return nil, err
		}
		notes = append(notes, fmt.Sprintf("%d %08x", place, sum.Value()))
	}
	return notes, nil
}

// placesOf are the places of the first lines that ordinals, which are in order, come before; of those that the file does not come to, none.
func placesOf(ctx context.Context, file *jsonl.File, ends []int64) (places []int64, err error) {
	errEnough := errors.New("enough")
	err = sources.LinesFrom(ctx, file, 0, file.Size, func(line sources.Line) error {
		for len(places) < len(ends) {
			number := jsonl.First(line.Text, "ordinal")
			if number.Raw == "" || number.Int() < ends[len(places)] || !wellformed.JSON(line.Text) {
				return nil
			}
			places = append(places, line.Offset)
		}
		return errEnough
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return slices.Clip(places), err
}
