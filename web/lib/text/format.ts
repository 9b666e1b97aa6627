/** Formats times as in the United States. */
export { count, counted, formatter, labelOf, power, safeText } from "#libs/contract/documents/text.ts";

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
