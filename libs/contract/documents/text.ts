/** Formats numbers as in the United States, and texts from sources for display. */

/** Creates the formatter at the first use, because `Intl` is slow to load. */
export const formatter = (options: Intl.NumberFormatOptions) => {
	let cached: Intl.NumberFormat | undefined;
	return (value: number): string => {
		cached ??= new Intl.NumberFormat("en-US", options);
		return cached.format(value);
	};
};

export const count = formatter({ maximumFractionDigits: 0 });

/** A number with its noun, which is plural unless the number is 1. */
export const counted = (number: number, noun: string): string => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
const decimal = formatter({ maximumFractionDigits: 1 });
const oneDecimal = formatter({ minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Formats a power: MW, without a decimal from 1,000 MW; GW from 10,000 MW. */
export const power = (mw: number): string =>
	mw >= 10_000 ? `${oneDecimal(mw / 1_000)} GW` : `${(mw >= 1_000 ? count : decimal)(mw)} MW`;

const abbreviations = /\b(cod|mw|mwh|poi|iso|eia|ia|ipp|pe|dg)\b/g;

const knownLabels = new Map(
	Object.entries({
		developer_canonical: "Developer, as recognized",
		status_std: "Status",
		type_std: "Technology",
		cod: "Projected operation",
		actual_cod: "In operation since",
		ia_date: "Agreement signed",
		ia_status: "Agreement",
		poi: "Point of interconnection",
		queue_id: "Number",
		ma: "M&A",
		iso_posture: "Operator track record",
		zombies: "Requests without progress",
	}),
);

/** The label of a name from the API, for example `capacity_mw`: "Capacity MW". */
export const labelOf = (name: string): string => {
	const label = knownLabels.get(name);
	if (label !== undefined) return label;
	const text = name.replaceAll("_", " ").replace(abbreviations, (short) => short.toUpperCase());
	return text.charAt(0).toUpperCase() + text.slice(1);
};

/** Removes control characters, line ends and direction marks, which could reorder a line, from a source's text, and truncates it. */
export function safeText(text: string, maxCharacters = 200): string {
	const shown = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "");
	return shown.length > maxCharacters ? `${shown.slice(0, maxCharacters)}…` : shown;
}
