/** Sets an entry of a map with at most `most` entries, and evicts the least recently set ones. */
export function keepRecent<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
	map.delete(key);
	map.set(key, value);
	for (const oldest of map.keys()) {
		if (map.size <= most) return;
		map.delete(oldest);
	}
}
