package index

import (
	"container/list"
	"sync"
)

// cacheMost bounds the texts of blocks that are kept for the next search, in bytes.
const cacheMost = 12 << 20

// cache keeps blocks as they were read, those that were used last.
type cache struct {
	mu    sync.Mutex
	most  int
	bytes int
	order *list.List // of *kept, the one used last in front
	kept  map[int64]*list.Element
}

type kept struct {
	id     int64
	chunks []chunk
	bytes  int
}

func newCache(most int) *cache {
	return &cache{most: most, order: list.New(), kept: map[int64]*list.Element{}}
}

func (c *cache) get(id int64) ([]chunk, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.kept[id]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(at)
	return at.Value.(*kept).chunks, true //nolint:errcheck,forcetypeassert // nothing else is in the list
}

func (c *cache) put(id int64, chunks []chunk) {
	const each = 160 // bytes of a chunk beside its text
	k := &kept{id: id, chunks: chunks, bytes: each * len(chunks)}
	for i := range chunks {
		k.bytes += len(chunks[i].text)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.kept[id]; ok {
		return
	}
	c.kept[id] = c.order.PushFront(k)
	for c.bytes += k.bytes; c.bytes > c.most && c.order.Len() > 0; {
		last := c.order.Remove(c.order.Back()).(*kept) //nolint:errcheck,forcetypeassert // nothing else is in the list
		delete(c.kept, last.id)
		c.bytes -= last.bytes
	}
}

func (c *cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.order.Init()
	clear(c.kept)
	c.bytes = 0
}
