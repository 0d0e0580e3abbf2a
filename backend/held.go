package backend

import (
	"context"
	"fmt"
	"io"
	"time"

	"palimpsest/backend/agent"
	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// held is a session that a turn has.
type held struct {
	b      *Backend
	id     string
	writer *session.Writer
}

func (b *Backend) holdForTurn(ctx context.Context, id string) (agent.Session, error) {
	if meta, ok := b.asides.of(id); ok {
		return aside{model: meta.Model}, nil
	}
	writer, err := b.store.Writer(ctx, id)
	if err != nil {
		return nil, err
	}
	return &held{b, id, writer}, nil
}

func (h *held) Context() (overlay.Context, error) {
	return h.b.resolve(h.id)
}

func (h *held) Keep(images []agent.Image) error { return h.b.keepImages(h.id, images) }

func (h *held) Append(objects ...[]byte) ([]int64, error) {
	batch, err := h.b.draftsOf(objects)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", h.id, err)
	}
	return h.writer.Append(batch)
}

func (h *held) Spent(ctx context.Context, d time.Duration) error { return h.writer.Spent(ctx, d) }

func (h *held) Close() { h.writer.Close() }

func (b *Backend) draftsOf(objects [][]byte) ([]record.Draft, error) {
	batch := make([]record.Draft, len(objects))
	for i, object := range objects {
		draft, err := b.store.Draft(object)
		if err != nil {
			return nil, err
		}
		batch[i] = draft
	}
	return batch, nil
}

// resolve is what the model sees of a session now. Texts are left in its log, and read where they are needed.
func (b *Backend) resolve(id string) (overlay.Context, error) {
	meta, err := b.store.Metadata(id)
	if err != nil {
		return overlay.Context{}, err
	}
	log, err := b.store.OpenLog(id)
	if err != nil {
		return overlay.Context{}, err
	}
	defer func() { _ = log.Close() }() // opened for reading
	info, err := log.Stat()
	if err != nil {
		return overlay.Context{}, fmt.Errorf("session %s: %w", id, err)
	}
	return resolveWith(id, log, info.Size(), overlay.Options{Model: meta.Model, Again: func() (overlay.Records, error) {
		log, err := b.store.OpenLog(id)
		if err != nil {
			return nil, err
		}
		return &reread{session.NewRecall(log, info.Size()), log}, nil
	}})
}

// reread is a log that is open to have records read again.
type reread struct {
	*session.Recall
	log io.Closer
}

func (r *reread) Close() {
	r.Recall.Close()
	_ = r.log.Close() // opened for reading
}

// resolve is what the model saw of a log up to a byte, with texts left in it as long as it is open.
func (v *view) resolve(end int64) (overlay.Context, error) {
	return resolveWith(v.id, v.log, end, overlay.Options{
		Again: func() (overlay.Records, error) { return session.NewRecall(v.log, end), nil },
	})
}

func resolveAt(id string, log io.ReaderAt, end int64, model string) (overlay.Context, error) {
	return resolveWith(id, log, end, overlay.Options{Model: model})
}

func resolveWith(id string, log io.ReaderAt, end int64, opts overlay.Options) (overlay.Context, error) {
	c, err := overlay.Resolve(session.NewReverse(log, end), opts)
	if err != nil {
		return c, fmt.Errorf("session %s: %w", id, err)
	}
	return c, nil
}

// blobMost bounds an image that is sent to a model.
const blobMost = 32 << 20

func (b *Backend) blobOf(id, sha string) ([]byte, error) {
	file, err := b.OpenBlob(id, sha)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // opened for reading
	data, err := io.ReadAll(io.LimitReader(file, blobMost+1))
	if err == nil && len(data) > blobMost {
		err = fmt.Errorf("blob %s is larger than %d MiB", sha, blobMost>>20)
	}
	return data, err
}
