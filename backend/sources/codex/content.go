package codex

import (
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// What Codex says in the place of an image that it does not send: one that stands on the web, and one that is none.
const (
	elsewhere = "image content omitted because remote image URLs are not supported"
	noImage   = "image content omitted because it could not be processed"
)

// blocks are what an item of a content is to the model. What is not sent is kept in front of what is said in its place.
func (r *reader) blocks(value gjson.Result) []sources.Block {
	switch jsonl.Member(value, "type").Str {
	case "input_text", "output_text", "text", "summary_text", "Text":
		if text := jsonl.Member(value, "text"); text.Type == gjson.String {
			return []sources.Block{r.log.Text(text.Str)}
		}
	case "refusal":
		return []sources.Block{r.log.Text(jsonl.Text(value.Get("refusal")))}
	case "input_image", "image":
		return r.image(value)
	}
	return []sources.Block{jsonl.Unknown(value)}
}

// image is one of a content. Of what is written in it as an image nobody looks here whether it is one.
func (r *reader) image(value gjson.Result) []sources.Block {
	address := value.Get("image_url")
	if address.IsObject() {
		address = address.Get("url")
	}
	if image, ok := r.log.DataURL(jsonl.Text(address)); ok {
		return []sources.Block{image}
	}
	block := jsonl.Unknown(value)
	switch scheme, _, _ := strings.Cut(jsonl.Text(address), ":"); strings.ToLower(scheme) {
	case "http", "https":
		return []sources.Block{block, r.log.Text(elsewhere)}
	case "data":
		return []sources.Block{block, r.log.Text(noImage)}
	}
	return []sources.Block{sources.AsIs(block)} // one that the provider has
}
