/** POST /register for a person: what JSON would have said, as the page that follows the form. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#libs/contract/errors.ts";
import type { Reply } from "#libs/contract/index.ts";
import { issuedPage, type Plans, registerErrors, registerHeaders, registerPage } from "../documents/register-page.ts";
import { readBody } from "../http/body.ts";
import { prefersPage } from "../http/prefers-page.ts";
import { siteOf } from "../http/site.ts";
import type { Answered } from "../registry/answered.ts";

export interface RegisterFormOptions {
	plans(): Promise<Plans>;
	publicUrl: string | undefined;
	contact: string | undefined;
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Wraps the route of `register`: who prefers a page gets one, with the status that JSON would have. */
export function registerForm(handle: Handle, { plans, contact }: RegisterFormOptions): Handle {
	return async (request, reply) => {
		if (!prefersPage(request.headers)) return handle(request, reply);
		reply.header("vary", "Accept");
		try {
			return await handle(request, reply);
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			const { headers, status, retryAfterSeconds } = error;
			if (retryAfterSeconds !== undefined) reply.header("retry-after", String(Math.ceil(retryAfterSeconds)));
			const page = registerPage({
				plans: await plans(),
				contact,
				errors: registerErrors(error),
				values: fieldsOf(request),
			});
			return reply
				.code(status)
				.headers({ ...headers, ...registerHeaders })
				.send(page);
		}
	};
}

/** The answer to a form: the key, shown on a page. */
export function issuedAsPage(request: FastifyRequest, { body }: Answered, publicUrl: string | undefined): Answered {
	const issued = JSON.parse(String(body)) as Reply<"register">;
	const page = issuedPage(issued, siteOf(publicUrl, request));
	return { status: 200, headers: { ...registerHeaders, vary: "Accept" }, body: Buffer.from(page) };
}

/** What was typed stays in the form, as far as it can be read. */
function fieldsOf(request: FastifyRequest): Record<string, unknown> {
	try {
		return readBody(request.headers["content-type"], (request.body as Buffer | undefined) ?? "");
	} catch {
		return {};
	}
}
