/** Parses the header `Range` (RFC 9110, 14.2). */

/** Both ends are included. */
export interface ByteRange {
	first: number;
	last: number;
}

/**
 * The range that the header requests of a file of `size` bytes. Undefined means the whole file: there is no header, it cannot be parsed, or
 * it has several ranges. A server may ignore such headers.
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
