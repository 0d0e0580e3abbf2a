package digest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/index"
)

// appended is a log, and what was appended to it, which is more than a keeper holds.
func appended() (log, more string) {
	var before, after strings.Builder
	line(&before, 1, `"message","schemaVersion":1,"role":"user","content":[{"type":"text","text":"ask"}]`)
	text := strings.Repeat("word ", 2000)
	for seq := 2; seq < 2000; seq++ {
		line(&after, seq, `"message","schemaVersion":1,"role":"assistant","timestamp":"2026-11-02T23:30:00Z","content":[{"type":"text","text":"%s %d"}]`, text, seq)
	}
	return before.String(), after.String()
}

// TestWhatIsAppendedIsReadOnce, however much it is.
func TestWhatIsAppendedIsReadOnce(t *testing.T) {
	log, more := appended()
	first, _ := read(t, log)
	c := &counting{r: strings.NewReader(log + more)}
	if _, err := Continue(first, c, int64(len(log+more)), options(), func(index.Text) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if least := int64(len(more)); c.read > least+least/2 {
		t.Errorf("%d bytes are read of %d", c.read, least)
	}
}

// TestKeptTextsAreTheSame, wherever they are kept: beside memory, in memory where there is no room, or where that room was soon full.
func TestKeptTextsAreTheSame(t *testing.T) {
	defer func(before func() (*os.File, error), most int) { newFile, keptMost = before, most }(newFile, keptMost)
	keptMost = 1000
	var want []index.Text
	for i := range 100 {
		want = append(want, index.Text{Seq: int64(i), Line: i * 2, Part: i % 3, Time: time.Unix(int64(i), 5).UTC(), Scope: index.Scope(i % 4), Tool: "bash", Text: strings.Repeat("x", i)})
	}
	room := newFile
	for name, file := range map[string]func() (*os.File, error){
		"beside memory": room,
		"no room":       func() (*os.File, error) { return nil, errors.New("no room") },
		"full": func() (*os.File, error) {
			file, err := room()
			if err != nil {
				return nil, err
			}
			return file, file.Close()
		},
	} {
		newFile = file
		var got []index.Text
		k := keeper{emit: func(t index.Text) error { got = append(got, t); return nil }}
		for _, text := range want {
			if err := k.take(text); err != nil {
				t.Fatal(err)
			}
		}
		if len(got) > 0 {
			t.Errorf("%s: %d are handed on before it is sure", name, len(got))
		}
		if err := k.done(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\n%s", name, err, fmt.Sprint(got))
		}
	}
}

// TestKeptTextsThatCannotBeReadAgain are an error, and not fewer texts.
func TestKeptTextsThatCannotBeReadAgain(t *testing.T) {
	defer func(most int) { keptMost = most }(keptMost)
	keptMost = 10
	k := keeper{emit: func(index.Text) error { return nil }}
	for range 5 {
		if err := k.take(index.Text{Text: "some words"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.file.Truncate(20); err != nil {
		t.Fatal(err)
	}
	if err := k.done(); !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		t.Errorf("%v", err)
	}
}
