/** What a caller of an operation has to know besides what it answers, a few words each. */
import type { HttpOperation } from "../registry/bindings.ts";
import { usdOf } from "../registry/money.ts";

/** `tool`: its name over MCP. */
export function factsOf({ operation, http }: HttpOperation, tool: string | undefined): string[] {
	return [
		`price ${usdOf(http.price)}`,
		...(http.needsKey ? ["needs a key"] : []),
		...(http.perMinute === undefined ? [] : [`${http.perMinute} requests a minute and address`]),
		...(tool === undefined ? ["no tool"] : [`tool \`${tool}\``]),
		...(operation.streamed ? ["a file: ranges, ETag, HEAD for free; one charge covers it for a day"] : []),
	];
}
