import { invalid } from "#libs/contract/errors.ts";
import type { Resources } from "../resources.ts";

/** @throws AppError 422 for a day that has not begun, UTC */
export function checkDay({ now }: Pick<Resources, "now">, day: string): void {
	const today = now().toISOString().slice(0, 10);
	if (day > today) throw invalid([{ loc: ["query", "as_of"], msg: `is in the future: today is ${today}` }]);
}
