package crabtalk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// recordHead is what a record has before its key, and columnsMost more than there are columns.
const (
	recordHead  = 6
	columnsMost = 16
)

// dbRecord is a record of a store: where its value begins, and where it ends.
type dbRecord struct {
	deletes    bool
	column     byte
	key        string
	value, end int64
}

// records takes the keys of all records from a place on. One that is damaged, or a list of keys from before, costs those behind it
// nothing: it goes on where the next one is.
func (s *store) records(next int64, list span) {
	last := next // where the value of the record before begins, which may be what is damaged
	for next < s.size {
		if next == list.from && list.length > 0 { // which could not be taken
			next += list.length
			continue
		}
		e, is := s.entry(next)
		if is && e.end <= s.size {
			s.take(next, e)
			last, next = e.value, e.end
			continue
		}
		found, more := s.find(last, list)
		switch {
		case more && found > next:
			s.lost += found - next
		case more:
			s.lost += found - last
		case !is && s.size-next >= recordHead:
			s.lost += s.size - next
			return
		default:
			return // cut off, or being written
		}
		last, next = found, found
	}
}

func (s *store) take(at int64, e dbRecord) {
	if e.deletes {
		s.at.remove(e.key)
	} else {
		s.note(e.column, e.key, at)
	}
}

// entry is the record at a place, which may end behind the end of the file; false if there is none.
func (s *store) entry(at int64) (dbRecord, bool) {
	head := make([]byte, recordHead)
	if _, err := s.in.ReadAt(head, at); err != nil || !mayBegin(head) {
		return dbRecord{}, false
	}
	length := int64(order.Uint32(head[2:]))
	e := dbRecord{deletes: head[0] == 1, column: head[1], value: at + recordHead + length + 4}
	if e.end = e.value; e.value > s.size {
		e.end++ // how long the value is stands behind the end
		return e, true
	}
	rest := make([]byte, length+4)
	if _, err := s.in.ReadAt(rest, at+recordHead); err != nil || !isKey(rest[:length]) {
		return dbRecord{}, false
	}
	e.key, e.end = string(rest[:length]), e.value+int64(order.Uint32(rest[length:]))
	return e, true
}

// mayBegin tells whether a record may begin so. No key is empty.
func mayBegin(head []byte) bool {
	length := order.Uint32(head[2:])
	return head[0] <= 1 && head[1] < columnsMost && length > 0 && length <= keyMost
}

// isKey tells a key from other bytes: it is a text, as all are.
func isKey(key []byte) bool {
	return utf8.Valid(key) && strings.IndexFunc(string(key), unicode.IsControl) < 0
}

// find is the first record from a place on, outside of the list of keys.
func (s *store) find(from int64, list span) (int64, bool) {
	const block = 64 << 10
	text := make([]byte, block)
	for at := from; at < s.size; at += block - recordHead + 1 {
		n, _ := s.in.ReadAt(text, at) // what was read counts
		for i := 0; i+recordHead <= n; i++ {
			place := at + int64(i)
			inList := place >= list.from && place < list.from+list.length
			if mayBegin(text[i:i+recordHead]) && !inList && s.sure(place) {
				return place, true
			}
		}
	}
	return 0, false
}

// sure tells whether there is a record at a place that was come to by chance: one of a session or of the memory, all of which have JSON
// for a value, or one that another one stands behind.
func (s *store) sure(at int64) bool {
	e, is := s.entry(at)
	if !is || e.end > s.size || !strings.Contains(e.key, "/") {
		return false
	}
	if _, _, ours := ofSession(e.key); (ours || inMemory(e.key)) && !e.deletes && s.isJSON(e) {
		return true
	}
	next, is := s.entry(e.end)
	return e.end == s.size || is && next.key != ""
}

// isJSON tells whether the value of a record begins and ends as an object or a string.
func (s *store) isJSON(e dbRecord) bool {
	var first, last [1]byte
	if e.end-e.value < 2 {
		return false
	}
	_, err := s.in.ReadAt(first[:], e.value)
	_, err2 := s.in.ReadAt(last[:], e.end-1)
	return err == nil && err2 == nil && (first[0] == '{' && last[0] == '}' || first[0] == '"' && last[0] == '"')
}
