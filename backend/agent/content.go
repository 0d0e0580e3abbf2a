package agent

import (
	"bytes"
	"encoding/json"
	"fmt"

	"palimpsest/backend/record"
)

// Image is one that goes with a message. Once that is in the log its bytes lie among the session's blobs.
type Image struct {
	MediaType string `json:"mediaType"`
	Blob      string `json:"blob"`
	Bytes     int    `json:"bytes"`
	// Name is that of the file it came from; may be empty.
	Name string `json:"name,omitempty"`
}

// Content is what a user says and shows. As JSON it is the text alone where there is nothing else.
type Content struct {
	Text   string
	Images []Image
	// Key is what who sent it calls it; may be empty.
	Key string
}

// shown is the JSON of content with more than text.
type shown struct {
	Text   string  `json:"text"`
	Images []Image `json:"images,omitempty"`
	Key    string  `json:"key,omitempty"`
}

// MarshalJSON leaves <, > and & as they are.
func (c Content) MarshalJSON() ([]byte, error) {
	var value any = c.Text
	if len(c.Images) > 0 || c.Key != "" {
		value = shown(c)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("encoding a message: %w", err)
	}
	return out.Bytes(), nil
}

// UnmarshalJSON takes both forms.
func (c *Content) UnmarshalJSON(data []byte) error {
	var s shown
	into := any(&s)
	if bytes.HasPrefix(data, []byte(`"`)) {
		into = &s.Text
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("decoding a message: %w", err)
	}
	*c = Content(s)
	return nil
}

func (m *Message) content() Content { return Content{m.Text, m.Images, m.Key} }

func (c Content) isEmpty() bool { return c.Text == "" && len(c.Images) == 0 }

// nameless are images as events carry them.
func nameless(images []Image) []Image {
	out := append([]Image(nil), images...)
	for i := range out {
		out[i].Name = ""
	}
	return out
}

func imageBlock(image Image) block {
	return block{Type: "image", MediaType: image.MediaType, Blob: image.Blob, Bytes: image.Bytes, Name: image.Name}
}

func userRecord(c Content) ([]byte, error) {
	w := written{Role: record.RoleUser, Content: []block{}, SentAs: c.Key}
	if c.Text != "" || len(c.Images) == 0 {
		w.Content = append(w.Content, textBlock("text", c.Text))
	}
	for _, image := range c.Images {
		w.Content = append(w.Content, imageBlock(image))
	}
	return encode(w)
}
