/** Formats money, points, shares and times as in the United States. */
import { formatter } from "#libs/contract/documents/text.ts";

export { count, counted, formatter, labelOf, power, safeText } from "#libs/contract/documents/text.ts";

export const dollars = formatter({ style: "currency", currency: "USD", maximumFractionDigits: 0 });
const cents = formatter({ style: "currency", currency: "USD", maximumFractionDigits: 2 });
export const perKw = (usd: number): string => `${cents(usd)}/kW`;

/** Formats points of a score. A whole score times its weight has at most two decimals. */
export const points = formatter({ maximumFractionDigits: 2 });
export const signedPoints = (value: number): string => `${value < 0 ? "−" : "+"}${points(Math.abs(value))}`;

/** Formats a share (0 to 1) in whole percent, but never rounds to 0 or 100 %. */
export function percent(share: number): string {
	if (share > 0.99 && share < 1) return "over 99 %";
	if (share > 0 && share < 0.005) return "below 1 %";
	return `${Math.round(share * 100)} %`;
}
export const tenthsOfPercent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;
export const threeDecimals = (share: number | null): string => (share === null ? "–" : share.toFixed(3));

let relative: Intl.RelativeTimeFormat | undefined;
const secondsOf: [Intl.RelativeTimeFormatUnit, number][] = [
	["year", 365 * 86_400],
	["month", 30 * 86_400],
	["day", 86_400],
	["hour", 3_600],
	["minute", 60],
];

/** `time` is ISO 8601, `now` in ms. */
export function ago(time: string, now: number): string {
	relative ??= new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });
	const seconds = (now - Date.parse(time)) / 1_000;
	for (const [unit, length] of secondsOf)
		if (Math.abs(seconds) >= length) return relative.format(-Math.trunc(seconds / length), unit);
	return "just now";
}
