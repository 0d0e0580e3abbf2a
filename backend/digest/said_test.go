package digest

import (
	"encoding/binary"
	"hash/fnv"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/record"
)

// TestNamesAreThoseOfBefore: they stand in digests, and those of sessions that are gone are not made again.
func TestNamesAreThoseOfBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at, role := rapid.Uint64().Draw(t, "at"), rapid.SampledFrom([]record.Role{record.RoleUser, record.RoleAssistant}).Draw(t, "role")
		texts := rapid.SliceOf(rapid.String()).Draw(t, "texts")
		sum := fnv.New64a()
		_ = binary.Write(sum, binary.BigEndian, at)
		_, _ = sum.Write([]byte(role))
		rec := record.Record{Message: &record.Message{Role: role}}
		for _, text := range texts {
			_, _ = sum.Write([]byte(text))
			rec.Message.Content = append(rec.Message.Content, record.TextBlock(text))
		}
		if got := saidAt(at, &rec); uint64(got) != sum.Sum64()>>16 {
			t.Fatalf("%x, not %x", got, sum.Sum64()>>16)
		}
	})
}
