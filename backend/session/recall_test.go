package session

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestRecall: any record is read again, in whatever order they are asked for and whatever stands between them.
func TestRecall(t *testing.T) {
	defer func(before int64) { recallNear = before }(recallNear)
	recallNear = 8 << 10
	near := int(recallNear)
	rapid.Check(t, func(t *rapid.T) {
		log, at := "\uFEFF", []int64{}
		for n := range rapid.IntRange(1, 9).Draw(t, "records") {
			between := rapid.SampledFrom([]string{"", "\n", "{torn\n", strings.Repeat(" ", near) + "\n"}).Draw(t, "between")
			if n == 0 {
				between = ""
			}
			log += between
			offset := int64(len(log))
			if n == 0 {
				offset = 0 // the mark is of its line
			}
			at = append(at, offset)
			text := strings.Repeat("x", rapid.SampledFrom([]int{1, 2 * near}).Draw(t, "length"))
			end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
			log += fmt.Sprintf(`{"recordType":"label","schemaVersion":2,"seq":%d,"targetSeq":1,"label":"%s"}`, n+1, text) + end
		}
		recall := NewRecall(strings.NewReader(log), int64(len(log)))
		defer recall.Close()
		for _, n := range rapid.SliceOf(rapid.IntRange(0, len(at)-1)).Draw(t, "asked") {
			rec, err := recall.At(at[n])
			if err != nil || rec.Seq != int64(n+1) {
				t.Fatalf("record %d: %d, %v", n+1, rec.Seq, err)
			}
		}
		if _, err := recall.At(int64(len(log))); err == nil {
			t.Fatal("there is a record behind the end")
		}
	})
}
