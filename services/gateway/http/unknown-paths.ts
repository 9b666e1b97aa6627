/** Requests that match no route: a wrong path (404), a wrong method (405 with `Allow`), or a preflight (204). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, notFound } from "#libs/contract/errors.ts";
import { pathOf } from "./errors.ts";
import { preflight } from "./headers.ts";

export function answerUnknownPaths(app: FastifyInstance): void {
	const known = new KnownPaths();
	app.addHook("onRoute", (route) => known.add(route.method, route.url));
	app.addHook("onRequest", (request, reply, done) => {
		if (request.is404) refuse(known.allowed(pathOf(request)), request, reply, done);
		else done();
	});
	app.setNotFoundHandler(() => {
		throw notFound("there is nothing at this path");
	});
}

/** Responds before the body is read. `allow` is undefined for a path that does not exist. */
function refuse(
	allow: string | undefined,
	request: FastifyRequest,
	reply: FastifyReply,
	done: (error?: Error) => void,
): void {
	const preflightedMethod = request.method === "OPTIONS" ? request.headers["access-control-request-method"] : undefined;
	if (allow === undefined && preflightedMethod !== undefined) {
		// Without CORS headers, a browser would hide the 404 of the request that follows from the page.
		reply
			.headers({ ...preflight, "access-control-allow-methods": preflightedMethod })
			.code(204)
			.send();
	} else if (allow === undefined) {
		done(notFound("there is nothing at this path"));
	} else if (request.method === "OPTIONS") {
		reply
			.headers({ ...preflight, allow, "access-control-allow-methods": allow })
			.code(204)
			.send();
	} else {
		reply.header("allow", allow);
		done(new AppError(405, `this path allows ${allow}`));
	}
}

class KnownPaths {
	readonly #paths = new Map<string, { pattern: RegExp; methods: Set<string> }>();

	/** `path` has Fastify's syntax: `/projects/:project_id`. */
	add(methods: string | string[], path: string): void {
		const known = this.#paths.get(path) ?? { pattern: patternOf(path), methods: new Set(["OPTIONS"]) };
		for (const method of [methods].flat()) known.methods.add(method);
		this.#paths.set(path, known);
	}

	/** The value of `Allow` for a path; undefined if the path does not exist. */
	allowed(path: string): string | undefined {
		const methods = new Set<string>();
		for (const known of this.#paths.values()) {
			if (known.pattern.test(path)) for (const method of known.methods) methods.add(method);
		}
		return methods.size === 0 ? undefined : [...methods].sort().join(", ");
	}
}

/** A trailing slash is ignored, as in the router. */
function patternOf(path: string): RegExp {
	const source = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:\w+/g, "[^/]+");
	return new RegExp(`^${source === "/" ? "" : source}/?$`);
}
