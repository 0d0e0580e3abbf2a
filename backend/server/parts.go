package server

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"palimpsest/backend"
)

const (
	// firstRows are those of the first part of a list: few, since they are what somebody waits for.
	firstRows = 200
	// Who asks for no further part for so long has left, or one of so many who began a list later has come in its place.
	listWaits = time.Minute
	listsMost = 16
)

// partBytes bounds every part.
var partBytes = 512 << 10

// lists are those that are being handed out in parts. Each stays as it was when its first part was asked for: what comes, goes or moves
// meanwhile neither hides a row nor tells one twice.
type lists struct {
	mu sync.Mutex
	// open has the one that was asked for last at its end.
	open []*openList
}

type openList struct {
	name  string
	total int
	line  func(i int) ([]byte, error)
	leave *time.Timer
}

// begin takes up a list.
func (l *lists) begin(total int, line func(i int) ([]byte, error)) *openList {
	list := &openList{name: rand.Text(), total: total, line: line}
	l.mu.Lock()
	defer l.mu.Unlock()
	list.leave = time.AfterFunc(listWaits, func() { l.end(list) })
	l.open = append(l.open, list)
	if len(l.open) > listsMost {
		l.open[0].leave.Stop()
		l.open = slices.Delete(l.open, 0, 1)
	}
	return list
}

// of is the list that a cursor goes on in, and from which row.
func (l *lists) of(cursor string) (*openList, int, error) {
	name, at, _ := strings.Cut(cursor, ".")
	from, err := strconv.ParseUint(at, 10, 31)
	if err != nil {
		return nil, 0, badInput("cursor is %s, not the X-Next of a part", shown(cursor))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	where := slices.IndexFunc(l.open, func(one *openList) bool { return one.name == name })
	if where < 0 || int(from) > l.open[where].total {
		return nil, 0, &refusal{http.StatusConflict, backend.Problem{
			Code: backend.CodeStale, Message: "the list that this goes on in is not held any more", Hint: "ask for it from its beginning",
		}}
	}
	list := l.open[where]
	l.open = append(slices.Delete(l.open, where, where+1), list)
	list.leave.Reset(listWaits)
	return list, int(from), nil
}

// end forgets a list.
func (l *lists) end(list *openList) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list.leave.Stop()
	l.open = slices.DeleteFunc(l.open, func(one *openList) bool { return one == list })
}

// sendPart answers with the rows of a list from one on, one a line.
func (l *lists) sendPart(w http.ResponseWriter, list *openList, from int) error {
	most := list.total
	if from == 0 {
		most = min(most, firstRows)
	}
	var out bytes.Buffer
	at := from
	for ; at < most; at++ {
		line, err := list.line(at)
		if err != nil {
			return fmt.Errorf("encoding the answer: %w", err)
		}
		if at > from && out.Len()+len(line) > partBytes {
			break
		}
		out.Write(line)
	}
	w.Header().Set("X-Total", strconv.Itoa(list.total))
	if at < list.total {
		w.Header().Set("X-Next", list.name+"."+strconv.Itoa(at))
	} else {
		l.end(list)
	}
	send(w, http.StatusOK, linesType, out.Bytes())
	return nil
}

// goOn answers who has a cursor.
func (l *lists) goOn(w http.ResponseWriter, cursor string) error {
	list, from, err := l.of(cursor)
	if err != nil {
		return err
	}
	return l.sendPart(w, list, from)
}

// sendMany answers with all values at once, or with the first part of them.
func sendMany[T any](w http.ResponseWriter, l *lists, inParts bool, values []T) error {
	if !inParts {
		return respond(w, http.StatusOK, values)
	}
	list := l.begin(len(values), func(i int) ([]byte, error) { return encode(&values[i]) }) // which ends the line
	return l.sendPart(w, list, 0)
}
