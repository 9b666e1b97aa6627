/** Numbers, times and filed texts as readers in the United States write them. Days are UTC. */

const format = (options: Intl.NumberFormatOptions) => {
	const { format } = new Intl.NumberFormat("en-US", options);
	return (value: number): string => format(value);
};

export const count = format({ maximumFractionDigits: 0 });
const decimal = format({ maximumFractionDigits: 1 });

/** MW, or GW from 10,000 MW. */
export const power = (mw: number): string => (mw >= 10_000 ? `${decimal(mw / 1_000)} GW` : `${decimal(mw)} MW`);

export const dollars = format({ style: "currency", currency: "USD", maximumFractionDigits: 0 });
const cents = format({ style: "currency", currency: "USD", maximumFractionDigits: 2 });
export const perKw = (usd: number): string => `${cents(usd)}/kW`;

/** Points of a score. A whole score times its weight has at most two decimals. */
export const points = format({ maximumFractionDigits: 2 });
export const signedPoints = (value: number): string => `${value < 0 ? "−" : "+"}${points(Math.abs(value))}`;

/** A share from 0 to 1 in whole percent, which never rounds a share to certainty. */
export function percent(share: number): string {
	if (share > 0.99 && share < 1) return "over 99 %";
	if (share > 0 && share < 0.005) return "below 1 %";
	return `${Math.round(share * 100)} %`;
}
export const tenthsOfPercent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;
export const threeDecimals = (share: number | null): string => (share === null ? "–" : share.toFixed(3));

const abbreviations = /\b(cod|mw|mwh|poi|iso|eia|ia|ipp|pe|dg)\b/g;

const knownLabels = new Map(
	Object.entries({
		developer_canonical: "Developer, as recognised",
		status_std: "Status",
		type_std: "Technology",
		cod: "Projected operation",
		actual_cod: "In operation since",
		ia_date: "Agreement signed",
		ia_status: "Agreement",
		poi: "Point of interconnection",
		queue_id: "Number",
	}),
);

/** The label of a name from the API, for example `capacity_mw`: "Capacity MW". */
export const labelOf = (name: string): string => {
	const known = knownLabels.get(name);
	if (known !== undefined) return known;
	const text = name.replaceAll("_", " ").replace(abbreviations, (short) => short.toUpperCase());
	return text.charAt(0).toUpperCase() + text.slice(1);
};

const relative = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });
const secondsOf: [Intl.RelativeTimeFormatUnit, number][] = [
	["year", 365 * 86_400],
	["month", 30 * 86_400],
	["day", 86_400],
	["hour", 3_600],
	["minute", 60],
];

/** `moment` is ISO 8601, `now` in ms. */
export function ago(moment: string, now: number): string {
	const seconds = (now - Date.parse(moment)) / 1_000;
	for (const [unit, length] of secondsOf)
		if (Math.abs(seconds) >= length) return relative.format(-Math.trunc(seconds / length), unit);
	return "just now";
}

/** A text from a source without control characters and direction marks, which could reorder the line. */
export function safeText(text: string, longest = 200): string {
	const shown = text.replace(/[\p{Cc}\p{Cf}]/gu, "");
	return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}

/** Indented JSON in which invisible characters and direction marks are escapes. */
export const jsonText = (value: unknown): string =>
	JSON.stringify(value, null, 2).replace(/[\p{Cf}\u007f-\u009f]/gu, escaped);

const escaped = (mark: string): string =>
	[...Array(mark.length).keys()].map((place) => `\\u${mark.charCodeAt(place).toString(16).padStart(4, "0")}`).join("");
