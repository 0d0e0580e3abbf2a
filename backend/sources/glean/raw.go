package glean

import (
	"encoding/json"

	"github.com/tidwall/gjson"

	"palimpsest/backend/wellformed"
)

// Quote is a text as JSON.
func Quote(text string) json.RawMessage {
	out, _ := json.Marshal(text) // a text can always be written
	return out
}

// Raw is a value as it was written, for a record of ours; nil if it is not there or no JSON.
func Raw(value gjson.Result) json.RawMessage {
	if !value.Exists() || !wellformed.JSON([]byte(value.Raw)) {
		return nil
	}
	return json.RawMessage(value.Raw)
}
