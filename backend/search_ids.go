package backend

import (
	"context"
	"slices"
	"strings"
	"time"

	"palimpsest/backend/index"
)

const (
	// idLeast is the length from which a word may be the beginning of an id.
	idLeast = 8
	// namedMost is how many sessions a word may mean by their ids.
	namedMost = 5
)

// idBegins tells whether an id begins with a text, with or without the agent in front.
func idBegins(id, text string) bool {
	id, text = strings.ToLower(id), strings.ToLower(text)
	_, after, foreign := strings.Cut(id, ":")
	return strings.HasPrefix(id, text) || foreign && strings.HasPrefix(after, text)
}

// byID are the sessions whose id the one word of a query is, or begins, the newest first. An id is a name. Words without a digit are words.
func (s *searching) byID() []string {
	if len(s.query.Terms) != 1 || s.scopes != nil && !slices.Contains(s.scopes, index.Name) || s.aboutTexts() {
		return nil
	}
	word := s.query.Terms[0]
	if word.Regex || len(word.Text) < idLeast || !strings.ContainsAny(word.Text, "0123456789") || strings.ContainsAny(word.Text, " \t\n") {
		return nil
	}
	var ids []string
	for id := range s.all {
		if idBegins(id, word.Text) && s.keeps(id) {
			ids = append(ids, id)
		}
	}
	if len(ids) > namedMost {
		return nil
	}
	slices.SortFunc(ids, s.newer)
	return ids
}

// idPlace is where the one word of a query stands in an id.
func (s *searching) idPlace(id string) *SearchPlace {
	word := strings.ToLower(s.query.Terms[0].Text) // as it stands in the id: some letters are shorter than what was typed
	at := strings.Index(strings.ToLower(id), word)
	end := at + len(word)
	return &SearchPlace{Scope: index.Name.String(), Excerpt: Excerpt{Before: id[:at], Match: id[at:end], After: id[end:]}}
}

// named fills in sessions by their ids, with as many places as there are in each, as far as that can be told in a time. The search for others
// leaves them out.
func (s *searching) named(ctx context.Context, ids []string, q index.Query, within time.Duration, out *Search) error {
	for _, id := range ids {
		row, ok := s.row(id)
		if !ok {
			continue
		}
		found, err := s.lookUp(ctx, q, index.Options{Session: id, Limit: placesMost, Budget: max(within/time.Duration(len(ids)), 1)})
		if err != nil {
			return err
		}
		row.Hit, row.Count = s.idPlace(id), 1+len(found.Hits)
		out.Hits = append(out.Hits, row)
		out.Scopes[index.Name.String()]++
		for i := range found.Hits {
			out.Scopes[found.Hits[i].Scope.String()]++
		}
		out.Counted = out.Counted && found.Complete
	}
	return nil
}
