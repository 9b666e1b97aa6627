/** Formats a company's filed name for display, without text that was pasted after it. */

const subsidiary = /[ ,;]+an? (?:(?:direct|indirect|wholly[ -]owned) )*(?:affiliate|subsidiary|division) of .*$/iu;

/**
 * Normalizes white space, and removes ", a subsidiary of ...", a numeric suffix such as "_3" and a repetition of the name, unless nothing
 * would remain.
 */
export function tidyName(raw: string): string {
	const text = withoutPaste(raw.replace(/[\s\p{C}]+/gu, " ").trim());
	const short = text.replace(subsidiary, "");
	return short === "" ? text : short;
}

/** Removes "_3" at the end, and the second half of "Foo Energy LLC,Foo Energy, LLC". */
export function withoutPaste(text: string): string {
	const name = text.replace(/_\d{1,2}$/, "");
	for (const { index } of name.matchAll(/[,;/]/g)) {
		const half = lettersAndDigits(name.slice(0, index));
		if (half !== "" && half === lettersAndDigits(name.slice(index + 1))) return name.slice(0, index).trim();
	}
	return name;
}

const lettersAndDigits = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** Reduces a name to ASCII letters and digits, so that names that differ only in case, white space or punctuation are equal. */
export const spelled = (name: string | null): string => (name ?? "").toLowerCase().replace(/[^a-z0-9]/g, "");
