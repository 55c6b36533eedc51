package help

// Pages are the paths of the commands that have a page, with the flags that it names and what it leads to.
func Pages() map[string][2][]string {
	all := map[string][2][]string{}
	for path, p := range pages {
		all[path] = [2][]string{p.flags, p.see}
	}
	return all
}
