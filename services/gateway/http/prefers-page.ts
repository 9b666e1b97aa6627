/** Which of two forms of an answer a caller would rather have, a page or JSON. */
import type { FastifyRequest } from "fastify";
import { weightOf } from "../codings/weight.ts";

/** Whether this request is answered with a page where there is one. */
export const wantsPage = ({ method, headers }: Pick<FastifyRequest, "method" | "headers">): boolean =>
	(method === "GET" || method === "HEAD") && prefersPage(headers);

/** Whether `Accept` ranks HTML above JSON, as a browser's does. Who does not say, or takes everything alike, gets JSON. */
export function prefersPage(headers: Record<string, string | string[] | undefined>): boolean {
	const accept = [headers.accept ?? []].flat().join(",");
	return quality(accept, "text", "html") > quality(accept, "application", "json");
}

/** Of RFC 9110 (12.5.1): the most specific range that fits decides; 0 where none fits. */
export function quality(accept: string, type: string, subtype: string): number {
	const ranked = [`${type}/${subtype}`, `${type}/*`, "*/*"];
	let best = { rank: ranked.length, q: 0 };
	for (const range of accept.toLowerCase().split(",")) {
		const [name = "", ...parameters] = range.split(";").map((part) => part.trim());
		const rank = ranked.indexOf(name);
		if (rank !== -1 && rank < best.rank) best = { rank, q: weightOf(parameters) };
	}
	return best.q;
}
