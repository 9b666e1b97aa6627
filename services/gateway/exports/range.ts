/** One range of a file's bytes, as a request states it (RFC 9110, 14.2). Pure. */

/** Both ends are included. */
export interface ByteRange {
	first: number;
	last: number;
}

/**
 * The part that a `Range` header requests of a file of `size` bytes. Undefined: the whole file, for no header, for one that cannot be read and
 * for several ranges at once, all of which may be ignored.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined {
	const match = /^bytes\s*=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? "");
	if (match === null) return undefined;
	const [, from = "", to = ""] = match;
	if (from === "" && to === "") return undefined;
	if (from === "") {
		const length = Math.min(Number(to), size);
		return length === 0 ? "unsatisfiable" : { first: size - length, last: size - 1 };
	}
	const first = Number(from);
	const last = to === "" ? Number.POSITIVE_INFINITY : Number(to);
	if (last < first) return undefined;
	return first >= size ? "unsatisfiable" : { first, last: Math.min(last, size - 1) };
}
