package backend

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"palimpsest/backend/session"
)

// SavedSearch is a search with a name.
type SavedSearch struct {
	Name string `json:"name"`
	Q    string `json:"q"`
	// Case minds upper and lower case, which the text can't say.
	Case bool `json:"case,omitempty"`
}

const (
	// searchesKey is where saved searches lie on the desk.
	searchesKey  = "searches"
	searchesMost = 200
	nameMost     = 200
)

// SavedSearches are the searches that were given a name, in their order.
func (b *Backend) SavedSearches() ([]SavedSearch, error) {
	value, err := b.desk.Get(searchesKey)
	if err != nil {
		return nil, err
	}
	list := []SavedSearch{}
	if value == nil {
		return list, nil
	}
	if json.Unmarshal(value, &list) != nil || list == nil {
		list = []SavedSearch{} // whatever lies there, it is no list of searches
	}
	return list, nil
}

// SaveSearches puts a list in the place of the saved searches.
func (b *Backend) SaveSearches(list []SavedSearch) ([]SavedSearch, error) {
	if len(list) > searchesMost {
		return nil, fmt.Errorf("%w: %d searches are too many; %d can be saved", session.ErrInput, len(list), searchesMost)
	}
	for i, s := range list {
		if strings.TrimSpace(s.Name) == "" || strings.TrimSpace(s.Q) == "" {
			return nil, fmt.Errorf("%w: search %d needs a name and a q", session.ErrInput, i+1)
		}
		if utf8.RuneCountInString(s.Name) > nameMost || len(s.Q) > wordsMost {
			return nil, fmt.Errorf("%w: search %d is too long: a name may have %d characters, q %d bytes", session.ErrInput, i+1, nameMost, wordsMost)
		}
	}
	if list == nil {
		list = []SavedSearch{}
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("encoding searches: %w", err)
	}
	_, err = b.LayOnDesk(searchesKey, text, "")
	return list, err
}
