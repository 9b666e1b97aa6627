/** One spelling of a name or an address of a Form D. Pure. */

/** Case, punctuation and white space do not tell two addresses or names apart. */
export function spelling(value: string): string {
	return value
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, " ")
		.trim();
}
