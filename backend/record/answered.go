package record

import (
	"strings"
	"unsafe"

	"github.com/tidwall/gjson"
)

// Answered is what a line of the log says of the model that answered, and of what that took.
type Answered struct {
	Model string
	// Usage is what was reported, if Reported.
	Usage    Usage
	Reported bool
	// Failed tells that the answer broke off, or that a person alone was shown it, so that no later context holds it.
	Failed bool
	// Said tells that there is anything in it.
	Said bool
}

// AnsweredIn reads an assistant's line without its content. The line must have passed [Scan].
func AnsweredIn(line []byte) (a Answered) {
	// As in Scan; what is kept is copied.
	gjson.Parse(unsafe.String(unsafe.SliceData(line), len(line))).ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "model":
			a.Model = strings.Clone(text(value))
		case "usage":
			if a.Reported = value.IsObject(); a.Reported {
				a.Usage = usageIn(value)
			}
		case "content":
			a.Said = value.IsArray() && value.Get("0").Exists()
		case "stopReason":
			reason := text(value)
			a.Failed = a.Failed || reason == StopAborted || reason == StopError
		case "aside":
			a.Failed = a.Failed || value.Type == gjson.True
		}
		return true
	})
	return a
}
