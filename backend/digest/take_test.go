package digest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/index"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// TestTakenIsRead: the digest that is made of lines as they come is that of the log, whether their records are known or not.
func TestTakenIsRead(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := drawn(rt)
		opts := options()
		opts.Own = false
		want, wantTexts := readWith(rt, log, opts)
		var texts []index.Text
		taker := Take(opts, func(one index.Text) error { texts = append(texts, one); return nil })
		for line := range bytes.Lines([]byte(log)) {
			line = bytes.TrimRight(line, "\n")
			var rec *record.Record
			if content, ok := session.Content(line, taker.size == 0); ok && rapid.Bool().Draw(rt, "known") {
				if read, err := record.Decode(content); err == nil {
					rec = &read
				}
			}
			if err := taker.Line(line, rec, false); err != nil {
				rt.Fatal(err)
			}
		}
		got, err := taker.End()
		if err != nil || !reflect.DeepEqual(got, want) || !reflect.DeepEqual(texts, wantTexts) {
			rt.Fatalf("%s\n%s\n%s\n%v\n%v, %v", log, got.Encode(), want.Encode(), texts, wantTexts, err)
		}
	})
}

func readWith(t interface{ Fatal(args ...any) }, log string, opts Options) (*Digest, []index.Text) {
	var texts []index.Text
	d, err := Read(strings.NewReader(log), int64(len(log)), opts, func(one index.Text) error { texts = append(texts, one); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return d, texts
}

// compareTaken reads one session, and returns the size of its log.
func compareTaken(t *testing.T, source sources.Source, env sources.Env, found sources.Found) int {
	t.Helper()
	blobs := map[string]string{}
	var out bytes.Buffer
	log := sources.NewLog(found.Agent, found.ID, &out, func(data []byte) (string, error) {
		sum := sha256.Sum256(data)
		sha := hex.EncodeToString(sum[:])
		blobs[sha] = string(data)
		return sha, nil
	})
	opts := Options{About: About{Agent: found.Agent, Title: found.Title, Created: found.CreatedAt}, CopiedBefore: found.CreatedAt}
	opts.Blob = func(sha string) (string, bool) { text, ok := blobs[sha]; return text, ok }
	var texts []index.Text
	taker := Take(opts, func(one index.Text) error { texts = append(texts, one); return nil })
	log.Show(taker.Line)
	_ = source.Read(context.Background(), env, found, log) // what was read before an error counts
	got, err := taker.End()
	if err != nil || log.Err() != nil {
		t.Fatal(found.ID, err, log.Err())
	}
	want, wantTexts := readWith(t, out.String(), opts)
	if !bytes.Equal(got.Encode(), want.Encode()) || !reflect.DeepEqual(texts, wantTexts) {
		t.Errorf("%s:%s of %s\n%.3000s\n%.3000s\n%d and %d texts", found.Agent, found.ID, env.Home, got.Encode(), want.Encode(), len(texts), len(wantTexts))
	}
	return out.Len()
}
