import { conflict } from "#libs/contract/errors.ts";
import type { Handler } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";

/** Called before the charge, so that its outcome is requested later if the gateway never reports one. Succeeds for one request only. */
export function beginSettlement({ sql, now }: Resources): Handler<"beginSettlement"> {
	return async ({ payment_id, request_id = null }) => {
		const begun = await sql`
			update payments set state = 'settling', settling_at = ${now().toISOString()}
			where id = ${payment_id} and (state = 'claimed' or state = 'settling' and request_id = ${request_id})`;
		if (begun.count === 0) throw conflict("This payment is not claimed: it must not be charged.");
		return { json: "{}", dataVersion: 0 };
	};
}
