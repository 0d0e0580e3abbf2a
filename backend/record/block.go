package record

import "github.com/tidwall/gjson"

// BlockKind says what a content block is.
type BlockKind uint8

// The kinds of content blocks. Unknown is any type this version does not know, or a known one without what it needs:
// kept and shown, never sent to a model. AsIs is one of a type that only the agent knows whose log it is, which sends it as it is: it is in the
// context, and nothing of it is known but its JSON.
const (
	BlockUnknown BlockKind = iota
	BlockText
	BlockThinking
	BlockToolCall
	BlockImage
	BlockAsIs
)

// Block is one piece of a message's content.
type Block struct {
	Kind BlockKind
	// JSON is the block as it is in the file.
	JSON string

	// Text of a text or thinking block.
	Text string
	// ID, Name and Arguments (JSON) of a tool call.
	ID, Name, Arguments string
	// Blob is the SHA-256, in hex, of what is kept in blobs/: an image, or the whole of a long text.
	Blob string
	// Whole is how many bytes a text has of which Text is only head and tail, as [HeadAndTail] made it; 0 if Text is all that counts.
	Whole int64
	// Aside tells of a text, thinking or an image that no context has: whoever was told it is not told it again.
	Aside bool
	// AnyProvider tells of thinking that every model is told, and not only those of the provider that it came from.
	AnyProvider bool
	// Quarters is what a block counts whose text was left out, in quarter tokens; else 0, for it can be counted.
	Quarters int
}

func decodeBlocks(array gjson.Result) []Block {
	var blocks []Block
	array.ForEach(func(_, value gjson.Result) bool {
		blocks = append(blocks, decodeBlock(value))
		return true
	})
	return blocks
}

func decodeBlock(value gjson.Result) Block {
	block := Block{JSON: value.Raw}
	if !value.IsObject() {
		return block
	}
	var f blockFields
	value.ForEach(func(key, member gjson.Result) bool {
		f.take(key.Str, member)
		return true
	})
	block.Blob = text(f.blob)
	switch text(f.kind) {
	case "text":
		if f.text.Type == gjson.String {
			block.Kind, block.Text = BlockText, f.text.Str
			block.Whole = wholeOf(&f, &block)
		}
	case "thinking":
		block.Kind, block.Text = BlockThinking, text(f.text)
		block.AnyProvider = f.anyProvider.Type == gjson.True
	case "toolCall":
		block.ID, block.Name, block.Arguments = text(f.id), text(f.name), f.arguments.Raw
		if block.Arguments == "" {
			block.Arguments = "{}"
		}
		if block.ID != "" && block.Name != "" {
			block.Kind = BlockToolCall
		}
	case "image":
		if block.Blob != "" && text(f.mediaType) != "" {
			block.Kind = BlockImage
		}
	}
	if block.Kind == BlockUnknown && f.sentAsIs.Type == gjson.True {
		block.Kind = BlockAsIs
	}
	block.Aside = f.aside.Type == gjson.True && mayBeAside(block.Kind)
	return block
}

// mayBeAside: without a call its result would answer nothing, and of other blocks it is not known what they are.
func mayBeAside(kind BlockKind) bool {
	return kind == BlockText || kind == BlockThinking || kind == BlockImage
}

// wholeOf is [Block.Whole].
func wholeOf(f *blockFields, b *Block) int64 {
	whole, ok := integer(f.bytes)
	if !ok || b.Blob == "" {
		return 0
	}
	return WholeOf(b.Text, whole)
}

// WholeOf is [Block.Whole] of a text of which so many bytes are kept beside the log.
func WholeOf(text string, kept int64) int64 {
	if _, _, ok := ends(text, kept); !ok {
		return 0
	}
	return kept
}

// blockFields are the members of a block; of one that occurs twice the last counts.
type blockFields struct {
	kind, text, id, name, arguments, blob, mediaType, bytes, aside, anyProvider, sentAsIs gjson.Result
}

func (f *blockFields) take(name string, value gjson.Result) {
	switch name {
	case "type":
		f.kind = value
	case "text":
		f.text = value
	case "id":
		f.id = value
	case "name":
		f.name = value
	case "arguments":
		f.arguments = value
	case "blob":
		f.blob = value
	case "mediaType":
		f.mediaType = value
	case "bytes":
		f.bytes = value
	case "aside":
		f.aside = value
	case "anyProvider":
		f.anyProvider = value
	case "sentAsIs":
		f.sentAsIs = value
	}
}

// TextBlock returns a text block that no line of a log holds, as overlays make them.
func TextBlock(s string) Block {
	return Block{Kind: BlockText, JSON: `{"type":"text","text":` + quote(s) + `}`, Text: s}
}
