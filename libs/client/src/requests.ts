/** An operation with its parameters as a request. */
import type { Place } from "./place.ts";
import type { Sent } from "./transport.ts";

/** @throws TypeError for a parameter of the path that is not given */
export function requestOf({ method, path, isRead }: Place, params: object, signal?: AbortSignal): Sent {
	const rest = new Map(Object.entries(params).filter(([, value]) => value !== undefined && value !== null));
	const at = path.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = rest.get(name);
		if (value === undefined || value === "") throw new TypeError(`${name} is required`);
		rest.delete(name);
		return encodeURIComponent(String(value));
	});
	const hasBody = method === "POST" || method === "PATCH";
	// An object in a query is of values by their own names.
	const texts = [...rest].flatMap(([name, value]): [string, string][] =>
		typeof value === "object" && !Array.isArray(value)
			? Object.entries(value).map(([own, each]): [string, string] => [own, String(each)])
			: [[name, String(value)]],
	);
	const query = hasBody ? "" : new URLSearchParams(texts).toString();
	return {
		method,
		path: query === "" ? at : `${at}?${query}`,
		body: hasBody ? JSON.stringify(Object.fromEntries(rest)) : undefined,
		isRead: method === "GET" || isRead === true,
		signal,
	};
}
