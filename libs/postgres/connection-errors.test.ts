import { expect, test } from "vitest";
import { isDatabaseUnavailable } from "./connection-errors.ts";

const failed = (code: unknown) => Object.assign(new Error("failed"), { code });

test.each([
	...["CONNECTION_CLOSED", "CONNECT_TIMEOUT", "ECONNREFUSED", "ECONNRESET"],
	...["08006", "25006", "53100", "53200", "53300", "57P01", "57P03", "58030"],
])("%s means that the database is unavailable", (code) => expect(isDatabaseUnavailable(failed(code))).toBe(true));

test.each(["23505", "53400", "57014", "40P01", "UNSAFE_TRANSACTION", 57, undefined])("%s does not", (code) =>
	expect(isDatabaseUnavailable(failed(code))).toBe(false),
);

test("a message without a code, or a code without an error, does not either", () => {
	expect(isDatabaseUnavailable(new Error("ECONNREFUSED"))).toBe(false);
	expect(isDatabaseUnavailable("57P01")).toBe(false);
});
