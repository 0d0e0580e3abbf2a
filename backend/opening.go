package backend

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"palimpsest/backend/library"
	"palimpsest/backend/session"
	"palimpsest/backend/states"
)

// Opening is the end of a transcript, as it can be told at once.
type Opening struct {
	Page
	// Excerpt is nil if the page is of the whole session. Else it is of an excerpt: positions count within that, records have no seq,
	// and states are guesses.
	Excerpt *Part `json:"excerpt"`
}

// Part says how much of a session was read, of how much there is, in bytes of its file.
type Part struct {
	BytesRead  int64 `json:"bytesRead"`
	BytesTotal int64 `json:"bytesTotal"`
	// Problem is why the rest can't be read, nil as long as it is being read.
	Problem *Problem `json:"problem"`
}

// Opening reads the newest records of a session, no more than a page, in doors that stay and listen to news. Of a large session of
// another agent that was not read yet it tells an excerpt, and has all of it read in the background: that is news of the session.
func (b *Backend) Opening(ctx context.Context, id string, limit int) (Opening, error) {
	if limit <= 0 {
		limit = pageDefault
	}
	limit = min(limit, pageMost)
	excerpt, err := b.excerpt(ctx, id)
	if err != nil {
		return Opening{}, err
	}
	if excerpt != nil {
		return openingOf(id, excerpt, limit)
	}
	if err := b.Prepare(ctx, id); err != nil {
		return Opening{}, err
	}
	v, err := b.glance(id) //nolint:contextcheck,nolintlint // what it finds out in the background outlives this request
	if err != nil {
		return Opening{}, err
	}
	defer v.close()
	page, err := v.newest(0, limit)
	if err != nil {
		return Opening{}, fmt.Errorf("session %s: %w", id, err)
	}
	return Opening{Page: page}, nil
}

// Attend notes that somebody is about to ask for the opening of a session, and hears the news of it; who that is, is a name of their own.
func (b *Backend) Attend(id, viewer string) {
	if ref, err := library.ParseRef(id); err == nil && b.library != nil {
		b.library.Attend(ref, viewer)
	}
}

// Leave notes that they left. What is read for nobody else is not read to its end.
func (b *Backend) Leave(id, viewer string) error {
	if !library.IsRef(id) { // nobody waits for one of ours
		_, err := b.store.Metadata(id)
		return err
	}
	ref, err := library.ParseRef(id)
	if err == nil && b.library != nil {
		b.library.Leave(ref, viewer)
	}
	return err
}

// excerpt is what can be told of a session before it was read; nil if there is no need for one.
func (b *Backend) excerpt(ctx context.Context, id string) (*library.Opening, error) {
	if !b.resident || !library.IsRef(id) {
		return nil, nil //nolint:nilnil // it says so
	}
	ref, err := library.ParseRef(id)
	if err != nil {
		return nil, err
	}
	if b.library == nil {
		return nil, b.withoutAgents(ref)
	}
	b.readings.use(ref)
	out, err := b.library.Open(ctx, ref)
	if err != nil {
		err = b.whyNotThere(ctx, ref, err)
	}
	return out, err
}

// newest is the page of the last lines from one on, as many as it can hold.
func (v *view) newest(from, limit int) (Page, error) {
	lines := &v.index.Lines
	first := lines.Len()
	for room := pageRoom; first > from && lines.Len()-first < limit; first-- {
		room -= int(min(lines.At(first-1).Length, pageRoom)) + entryBytes + len(v.damageAt(first-1))*entryBytes
		if room < 0 && first < lines.Len() {
			break
		}
	}
	return v.page(PageOptions{Position: first}, limit, pageRoom)
}

// openingOf is the end of an excerpt.
func openingOf(id string, x *library.Opening, limit int) (Opening, error) {
	log := bytes.NewReader(x.Log)
	v := &view{id: id, log: inMemory{log}, theirs: theirs(id, session.Metadata{})}
	err := v.index.Extend(log, log.Size())
	if err == nil {
		v.states, err = states.Resolve(log, &v.index, "")
	}
	if err != nil {
		return Opening{}, fmt.Errorf("session %s: %w", id, err)
	}
	from := v.index.Lines.From(x.From)
	page, err := v.newest(from, limit)
	if err != nil {
		return Opening{}, fmt.Errorf("session %s: %w", id, err)
	}
	page.within()
	out := Opening{page, &Part{BytesRead: x.Done, BytesTotal: x.Of}}
	if x.Problem != nil {
		problem := ProblemOf(x.Problem)
		out.Excerpt.Problem = &problem
	}
	return out, nil
}

// within has a page of an excerpt count from its first line, and takes the seqs from its records: they name nothing. Neither is there a
// place in the reading for its damage before that is made.
func (p *Page) within() {
	first := p.First
	p.First, p.Total, p.Next, p.NextIndex = 0, p.Count, nil, nil
	for i := range p.Entries {
		e := &p.Entries[i]
		e.Index, e.Line, e.Offset = e.Index-first, e.Index-first+1, 0
	}
	for i := range p.Damage {
		p.Damage[i].Index -= first
		p.Damage[i].Damage = session.Damage{Kind: p.Damage[i].Kind, Reason: p.Damage[i].Reason}
	}
	for i, text := range p.Records {
		p.Records[i] = withoutSeqs(text)
	}
}

// withoutSeqs is a record without its number and those of others, and without its place in the file.
func withoutSeqs(text json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil {
		return text // it was decoded before
	}
	for _, name := range []string{"seq", "origin", "seqs", "fromSeq", "firstKeptSeq", "targetSeq"} {
		delete(members, name)
	}
	out, err := json.Marshal(members)
	if err != nil {
		return text
	}
	return out
}

// inMemory is a log that nobody has to close.
type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

// ExcerptBlob is what an excerpt that was told of keeps beside its lines under a SHA-256; not ok if there is none. The contents name it,
// so it is what the session has, too.
func (b *Backend) ExcerptBlob(id, sha string) (data []byte, ok bool) {
	ref, err := library.ParseRef(id)
	if err != nil || b.library == nil {
		return nil, false
	}
	if x := b.library.Excerpted(ref); x != nil {
		return x.Blob(sha)
	}
	return nil, false
}

// tellReading is news of a reading that is made in the background: how far it is, and that the session can be asked for now.
func (b *Backend) tellReading(n library.News) {
	if n.Ended {
		b.news.publish(EventChanged, n.String())
		return
	}
	b.news.reading(n.String(), Part{BytesRead: n.Done, BytesTotal: n.Of})
}
