package secrets

import "strings"

// logins finds the passwords in addresses: scheme://user:password@host.
func logins(text string, from int) (start, end int) {
	const most = 256
	for {
		at := strings.Index(text[from:], "://")
		if at < 0 {
			return 0, 0
		}
		from += at + len("://")
		colon := -1
		for i := from; i < min(len(text), from+most); i++ {
			c := text[i]
			if c == ':' && colon < 0 {
				colon = i
			}
			if c == '@' && colon >= 0 {
				end := i + lastAt(text[i:min(len(text), from+most)])
				if secret := text[colon+1 : end]; !standIn(secret) {
					return colon + 1, end
				}
			}
			if c <= ' ' || strings.IndexByte("/?#@\"'`<>\\", c) >= 0 {
				break
			}
		}
	}
}

// WithoutPasswords is a text whose addresses are without their passwords: user@host stays of user:password@host.
func WithoutPasswords(text string) string {
	var out strings.Builder
	at := 0
	for {
		start, end := logins(text, at)
		if start >= end {
			break
		}
		out.WriteString(text[at : start-1])
		at = end
	}
	if at == 0 {
		return text
	}
	out.WriteString(text[at:])
	return out.String()
}

// lastAt is where the last @ of an address is, as a password may have some: text begins with the first.
func lastAt(text string) int {
	if i := strings.IndexAny(text, " \t\n\r/?#\"'`<>\\,;"); i >= 0 {
		text = text[:i]
	}
	return strings.LastIndexByte(text, '@')
}
