/** Whose key a request came with. */
import { keyNeeded } from "#libs/contract/errors.ts";
import type { RequestContext } from "#libs/contract/index.ts";

/** What is about a key has one: over HTTP `needsKey` sees to it, any other transport is refused here. @throws AppError 403 */
export function callerOf(context: RequestContext): NonNullable<RequestContext["caller"]> {
	if (context.caller === undefined) throw keyNeeded("this needs a key: send it as X-API-Key");
	return context.caller;
}
