package opencode

import (
	"bytes"
	"context"
	"testing"

	"palimpsest/backend/overlay"
	ours "palimpsest/backend/session"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

func TestDamagedFiles(t *testing.T) {
	sourcetest.Survives(t, Source{}, talk.home(t, conversation.newer))
}

func TestDamagedDatabase(t *testing.T) {
	home := t.TempDir()
	database(t, home, "opencode.db", talk)
	sourcetest.SurvivesSome(t, Source{}, home, 24)
}

func TestDamagedSamples(t *testing.T) {
	sourcetest.Survives(t, Source{}, sourcetest.Samples(t, "opencode-1.1")[0])
}

// one is a store of one message with one part.
type one struct{ data, part []byte }

func (o one) messages(_ context.Context, visit func(row) error) error {
	return visit(row{id: "msg_1", data: o.data, bytes: int64(len(o.data))})
}

func (o one) message(context.Context, string) (row, error) {
	return row{id: "msg_1", data: o.data, bytes: int64(len(o.data))}, nil
}

func (o one) parts(_ context.Context, _ string, visit func(row) error) error {
	return visit(row{id: "prt_1", data: o.part, bytes: int64(len(o.part))})
}

func TestCapabilities(t *testing.T) {
	sourcetest.CheckCapabilities(t, Source{}.Capabilities())
}

func FuzzRead(f *testing.F) {
	for _, m := range talk.messages {
		for _, part := range m[1:] {
			f.Add([]byte(m[0]), []byte(part))
		}
	}
	f.Fuzz(func(t *testing.T, data, part []byte) {
		var out bytes.Buffer
		log := sources.NewLog("opencode", "s", &out, func([]byte) (string, error) { return "sha", nil })
		if err := read(t.Context(), one{data, part}, session{}, nil, log); err != nil {
			t.Fatal(err)
		}
		if _, err := overlay.Resolve(ours.NewReverse(bytes.NewReader(out.Bytes()), int64(out.Len())), overlay.Options{}); err != nil {
			t.Fatal(err)
		}
	})
}
