/** Numbers and moments as a reader of the United States writes them. Days of the service are UTC. */

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const relative = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });

export const count = (value: number): string => whole.format(value);

/** MW, or GW from 10,000 MW on. */
export const power = (mw: number): string =>
	mw >= 10_000 ? `${decimal.format(mw / 1_000)} GW` : `${decimal.format(mw)} MW`;

const abbreviations = /\b(cod|mw|mwh|poi|iso|eia|ia|ipp|pe|dg)\b/g;

/** Fields whose names are the interface's own. */
const known = new Map(
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

/** A field, technology or kind of change as the interface names it (`capacity_mw`), in words. */
export const words = (name: string): string => {
	const meant = known.get(name);
	if (meant !== undefined) return meant;
	const text = name.replaceAll("_", " ").replace(abbreviations, (short) => short.toUpperCase());
	return text.charAt(0).toUpperCase() + text.slice(1);
};

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
	["year", 365 * 86_400],
	["month", 30 * 86_400],
	["day", 86_400],
	["hour", 3_600],
	["minute", 60],
];

/** Of a share from 0 to 1. */
export const percent = (share: number): string => {
	// Nearly certain is not certain.
	if (share > 0.99 && share < 1) return "over 99 %";
	if (share > 0 && share < 0.005) return "below 1 %";
	return `${Math.round(share * 100)} %`;
};

/** How long ago a moment (ISO 8601) was. */
export function ago(moment: string, now: number): string {
	const seconds = (now - Date.parse(moment)) / 1_000;
	for (const [unit, length] of steps)
		if (Math.abs(seconds) >= length) return relative.format(-Math.trunc(seconds / length), unit);
	return "just now";
}

/** What a reader is to see of a text as filed: control and direction marks, which would reorder the line, are taken out. */
export function filed(text: string, longest = 200): string {
	const shown = text.replace(/[\p{Cc}\p{Cf}]/gu, "");
	return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}

/** Further quantities as they are written: money, points, shares. */

const money = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });
const cents = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 2 });
const hundredths = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** Whole dollars. */
export const dollars = (usd: number): string => money.format(usd);

/** Dollars a kW. */
export const perKw = (usd: number): string => `${cents.format(usd)}/kW`;

/** Points of a score: to two decimals at most, which is what a whole score times its weight has. */
export const points = (value: number): string => hundredths.format(value);

/** The same with its sign. */
export const signed = (value: number): string => `${value < 0 ? "−" : "+"}${points(Math.abs(value))}`;

/** A share from 0 to 1 to three decimals, as the backtest states it. */
export const share3 = (share: number | null): string => (share === null ? "–" : share.toFixed(3));

/** A share in percent, to one decimal at most. */
export const percent1 = (share: number): string => `${Math.round(share * 1_000) / 10} %`;

/** JSON for readers: indented, and marks that would not be seen, or would reorder the line, as escapes. */
export const jsonText = (value: unknown): string =>
	JSON.stringify(value, null, 2).replace(/[\p{Cf}\u007f-\u009f]/gu, escaped);

const escaped = (mark: string): string =>
	[...Array(mark.length).keys()].map((place) => `\\u${mark.charCodeAt(place).toString(16).padStart(4, "0")}`).join("");
