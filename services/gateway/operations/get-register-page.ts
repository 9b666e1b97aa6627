import { AppError } from "#libs/contract/errors.ts";
import type { Handler } from "#libs/contract/index.ts";
import { type Plans, registerPage } from "../documents/register-page.ts";
import { formPolicy } from "../pages/policy.ts";

export interface RegisterPageOptions {
	/** What billing holds. */
	plans(): Promise<Plans>;
	/** The operator's e-mail address. */
	contact?: string | undefined;
}

export function getRegisterPage({ plans, contact }: RegisterPageOptions): Handler<"getRegisterPage"> {
	return async () => ({
		json: registerPage({ plans: await knownPlans(plans), contact }),
		dataVersion: 0,
		headers: { "content-security-policy": formPolicy },
	});
}

/** A person who fills in the form can do without the table for as long as billing is away. */
export async function knownPlans(plans: () => Promise<Plans>): Promise<Plans> {
	try {
		return await plans();
	} catch (error) {
		if (error instanceof AppError) return [];
		throw error;
	}
}
