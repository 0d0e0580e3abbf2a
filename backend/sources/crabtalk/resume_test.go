package crabtalk

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// messages are records of a session, each of which says its number.
func messages(n int) (records []string) {
	for i := range n {
		records = append(records, inColumn(1, fmt.Sprintf("local/session/a/msg/%012d", i), fmt.Sprintf(`{"role":"user","content":"number %d"}`, i)))
		records = append(records, inColumn(6, fmt.Sprintf("local/idx/text/m/term/number/%d", i), "\x00\x00\x00\x01"))
	}
	return records
}

// TestDamagedRecord: what is behind a record that is damaged is read; how much is not is told.
func TestDamagedRecord(t *testing.T) {
	records := messages(4)
	damaged := func(i, at int, with string) string {
		all := append([]string(nil), records...)
		all[i] = all[i][:at] + with + all[i][at+len(with):]
		return storeOf(nil, nil) + strings.Join(all, "")
	}
	key := len("local/session/a/msg/000000000001")
	for name, text := range map[string]string{
		"what it does":           damaged(2, 0, "\x07"),
		"length of the key":      damaged(2, 2, "\xff\xff\xff\x7f"),
		"a shorter key":          damaged(2, 2, "\x03"),
		"length of the value":    damaged(2, 6+key, "\xff\xff\xff\x7f"),
		"a longer value":         damaged(2, 6+key, "\xf0"),
		"a hole":                 damaged(2, 0, strings.Repeat("\x00", len(records[2]))),
		"a hole over the border": damaged(2, 10, strings.Repeat("\x00", len(records[2])-10)),
	} {
		_, r := read(t, map[string]string{".crabtalk/store.crmem": text})
		story := r.Story()
		for _, i := range []int{0, 2, 3} {
			if !strings.Contains(story, fmt.Sprintf("number %d", i)) && !(name == "a longer value" && i == 2) {
				t.Errorf("%s: number %d is lost: %s", name, i, story)
			}
		}
		if r.Damaged == 0 || r.Err != nil {
			t.Errorf("%s: it is not told: %v %s", name, r.Err, story)
		}
	}
}

// TestListOfBefore: a list of keys stays where it is when the next is written; what stands in it are no records.
func TestListOfBefore(t *testing.T) {
	records := messages(4)
	var list []byte
	at := headerLength
	for _, record := range records[:4] {
		list = append(append(list, record[1]), record[2:6+binary.LittleEndian.Uint32([]byte(record[2:]))]...)
		list = binary.LittleEndian.AppendUint64(list, uint64(at))
		at += len(record)
	}
	list = append(binary.LittleEndian.AppendUint32(nil, 4), list...)
	text := storeOf(nil, nil) + strings.Join(records[:4], "") + string(list) + strings.Join(records[4:], "")
	_, r := read(t, map[string]string{".crabtalk/store.crmem": text})
	for i := range 4 {
		if !strings.Contains(r.Story(), fmt.Sprintf("message user: number %d\n", i)) {
			t.Errorf("number %d is lost: %s", i, r.Story())
		}
	}
}

// TestTornRecord: a record that is cut off is being written, whatever is in it.
func TestTornRecord(t *testing.T) {
	records := messages(3)
	whole := storeOf(nil, nil) + strings.Join(records[:4], "")
	image := inColumn(4, "local/image/1", strings.Repeat("\x7fELF\x00\x00\x01\x00\x00\x00\x05\x00\x00\x00a/cde", 500))
	for _, torn := range []string{records[4], image} {
		for _, cut := range []int{1, 5, 6, 20, len(torn) / 2, len(torn) - 1} {
			_, r := read(t, map[string]string{".crabtalk/store.crmem": whole + torn[:cut]})
			if len(r.Records) != 2 || r.Damaged > 0 {
				t.Errorf("%d of %d: %d damaged, %s", cut, len(torn), r.Damaged, r.Story())
			}
		}
	}
}

// TestAnyHole: whatever stands in the place of one record, all others of the session are read, and that something is missing is told unless
// the place has another record now.
func TestAnyHole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := messages(rapid.IntRange(2, 6).Draw(t, "messages"))
		hole := rapid.IntRange(0, len(records)-1).Draw(t, "hole")
		records[hole] = string(rapid.SliceOfN(rapid.Byte(), 1, 60).Draw(t, "bytes"))
		text := storeOf(nil, nil) + strings.Join(records, "")
		s := &store{in: strings.NewReader(text), size: int64(len(text))}
		if err := s.index(); err != nil {
			t.Fatal(err)
		}
		missing := 0
		for i, record := range records {
			at := int64(strings.LastIndex(text, record))
			if i == hole || i%2 == 1 {
				continue
			}
			if found, _ := s.at.get(record[6 : 6+binary.LittleEndian.Uint32([]byte(record[2:]))]); found != at {
				missing++
			}
		}
		if missing > 0 {
			t.Errorf("%d records are missing", missing)
		}
	})
}
