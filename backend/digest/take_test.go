package digest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/corpus"
	"palimpsest/backend/index"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/all"
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

// TestSourcesAreTaken: of the sessions of every agent, the digest that is made while they are read is that of the log that is written.
// With PALIMPSEST_SAMPLES they are real ones, too.
func TestSourcesAreTaken(t *testing.T) {
	made, err := corpus.Make(t.TempDir(), corpus.Options{Sessions: 40, Bytes: 2 << 20, Large: 2, LargeBytes: 5 << 20, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	homes := []string{made.Home}
	if samples := os.Getenv("PALIMPSEST_SAMPLES"); samples != "" {
		more, _ := filepath.Glob(filepath.Join(samples, "*"))
		homes = append(homes, more...)
	} else {
		t.Log("PALIMPSEST_SAMPLES is not set: only what the generator writes is read")
	}
	list, release := all.Open()
	defer func() { _ = release() }()
	sessions, large := 0, 0
	for _, home := range homes {
		env := sources.Env{Home: home, Getenv: func(string) string { return "" }, GOOS: runtime.GOOS, Temp: t.TempDir()}
		for _, source := range list {
			err := source.Find(context.Background(), env, func(f sources.Found) error {
				f.Agent = source.Agent()
				sessions++
				if compareTaken(t, source, env, f) > 4<<20 {
					large++
				}
				return nil
			})
			if err != nil {
				t.Error(source.Agent(), err)
			}
		}
	}
	if sessions < 30 || large == 0 {
		t.Errorf("only %d sessions, %d of them large", sessions, large)
	}
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
