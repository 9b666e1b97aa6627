/** How much a client would rather have something (RFC 9110, 12.4.2). */

/** The `q` among the parameters, 1 without one; what is no number from 0 to 1 is none. */
export function weightOf(parameters: string[]): number {
	const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
	if (q === undefined) return 1;
	return /^(0(\.\d*)?|1(\.0*)?)$/.test(q) ? Number(q) : 0;
}
