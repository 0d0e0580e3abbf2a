package llm

import (
	"encoding/base64"
	"regexp"
	"strings"

	"github.com/sashabaranov/go-openai"
	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
)

// What stands where an image can't be.
const (
	imageElsewhere = "[image]"
	imageMissing   = "[image not available]"
)

func textPart(text string) openai.ChatMessagePart {
	return openai.ChatMessagePart{Type: openai.ChatMessagePartTypeText, Text: text}
}

// parts is what a user shows: text, neighbouring blocks of it joined by a newline, and images. Text that is nothing but blanks
// goes: some APIs refuse the whole request for it.
func (b *builder) parts(content []record.Block) []openai.ChatMessagePart {
	var parts []openai.ChatMessagePart
	for _, block := range content {
		var part openai.ChatMessagePart
		switch {
		case block.Kind == record.BlockText && strings.TrimSpace(block.Text) != "":
			part = textPart(block.Text)
		case block.Kind == record.BlockImage:
			part = b.image(block)
		default:
			continue
		}
		last := len(parts) - 1
		if last >= 0 && part.Type == openai.ChatMessagePartTypeText && parts[last].Type == part.Type {
			parts[last].Text += "\n" + part.Text
			continue
		}
		parts = append(parts, part)
	}
	return parts
}

// joinParts appends the parts of a second message; where text meets text, behind a blank line.
func joinParts(first, second []openai.ChatMessagePart) []openai.ChatMessagePart {
	last := len(first) - 1
	if last >= 0 && len(second) > 0 && first[last].Type == openai.ChatMessagePartTypeText && second[0].Type == first[last].Type {
		first[last].Text = joinTexts(first[last].Text, second[0].Text)
		second = second[1:]
	}
	return append(first, second...)
}

func joinTexts(first, second string) string {
	if first == "" || second == "" {
		return first + second
	}
	return first + "\n\n" + second
}

// textOf is what a message says where only text may stand; nothing if that is blank.
func textOf(content []record.Block) string {
	text := ""
	for _, block := range content {
		more := block.Text
		switch block.Kind {
		case record.BlockText:
		case record.BlockImage:
			more = imageElsewhere
		case record.BlockThinking, record.BlockToolCall, record.BlockUnknown, record.BlockAsIs:
			continue
		}
		if text != "" && more != "" {
			text += "\n"
		}
		text += more
	}
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return text
}

// The type goes into an address, and the log may hold anything.
var mediaPattern = regexp.MustCompile(`^image/[a-zA-Z0-9.+-]+$`)

func (b *builder) image(block record.Block) openai.ChatMessagePart {
	media := mediaType(block.JSON)
	if b.blob == nil || !mediaPattern.MatchString(media) {
		return textPart(imageMissing)
	}
	data, err := b.blob(block.Blob)
	if err != nil || len(data) == 0 {
		return textPart(imageMissing)
	}
	url := "data:" + media + ";base64," + base64.StdEncoding.EncodeToString(data)
	return openai.ChatMessagePart{
		Type: openai.ChatMessagePartTypeImageURL, ImageURL: &openai.ChatMessageImageURL{URL: url},
	}
}

// mediaType is the block's; of one given twice the last, as package record has it.
func mediaType(block string) string {
	media := ""
	gjson.Parse(block).ForEach(func(key, value gjson.Result) bool {
		if key.Str == "mediaType" {
			media = str(value)
		}
		return true
	})
	return media
}
