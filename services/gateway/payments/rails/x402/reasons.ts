/** The meaning of a facilitator's codes, for the caller and for the charge. */
import { FacilitatorTimeoutError } from "@x402/core/http";
import { SettleError, VerifyError } from "@x402/core/types";

const reasons: Record<string, string> = {
	asset_not_deployed_contract: "there is no such token",
	eip6492_factory_not_allowed: "a wallet that is not deployed yet cannot pay",
	insufficient_funds: "the payer's balance is too low",
	invalid_exact_evm_authorization_value: "its amount is not the price",
	invalid_exact_evm_eip3009_not_supported: "the token does not support EIP-3009",
	invalid_exact_evm_failed_to_parse_signature: "the signature is not the payer's",
	invalid_exact_evm_insufficient_balance: "the payer's balance is too low",
	invalid_exact_evm_missing_eip712_domain: "the token's domain is missing",
	invalid_exact_evm_network_mismatch: "it is for another network",
	invalid_exact_evm_payload_authorization_valid_after: "it is not valid yet",
	invalid_exact_evm_payload_authorization_valid_before: "it has expired or is about to",
	invalid_exact_evm_payload_authorization_value: "its amount is not the price",
	invalid_exact_evm_payload_authorization_value_mismatch: "its amount is not the price",
	invalid_exact_evm_payload_recipient_mismatch: "it pays another recipient",
	invalid_exact_evm_payload_signature: "the signature is not the payer's",
	invalid_exact_evm_recipient_mismatch: "it pays another recipient",
	invalid_exact_evm_scheme: "it is of another scheme",
	invalid_exact_evm_signature: "the signature is not the payer's",
	invalid_exact_evm_token_name_mismatch: "it is for another token",
	invalid_exact_evm_token_version_mismatch: "it is for another token",
	invalid_network: "it is for another network",
	invalid_payload: "the payload is not valid",
	invalid_payment_requirements: "it does not match the payment requirements",
	invalid_scheme: "it is of another scheme",
	invalid_x402_version: "it is of another version of x402",
	unsupported_payload_type: "the payload is not valid",
	unsupported_scheme: "it is of another scheme",
};

/** The authorization was already used or canceled. */
export const nonceUsed = "invalid_exact_evm_nonce_already_used";

/**
 * Whether a charge that failed with this code has certainly transferred nothing, because the facilitator detects the failure before it sends
 * anything to the chain. Other codes are uncertain: `settlement_pending` was sent, `invalid_exact_evm_transaction_failed` includes lost RPC
 * connections, and a used nonce may have been used to pay us.
 */
export const isUncharged = (code: string): boolean => Object.hasOwn(reasons, code);

export function describeCode(code: string | undefined): string {
	if (code === nonceUsed) return "the authorization was used before";
	if (code !== undefined && Object.hasOwn(reasons, code)) return reasons[code] ?? code;
	return isCode(code) ? `the facilitator refused it (${code})` : "the facilitator refused it";
}

/** Facilitators can return any text, so only codes are repeated in headers. */
export const isCode = (code: string | undefined): code is string =>
	code !== undefined && /^[a-z0-9_]{1,80}$/.test(code);

/** An error whose message may be logged. */
export class RailFault extends Error {
	override name = "RailFault";
}

/** A description of a facilitator's or RPC's error for the log. Their messages are omitted, because they may contain the credential. */
export function faultOf(error: unknown): string {
	if (error instanceof RailFault) return error.message;
	if (error instanceof FacilitatorTimeoutError) return "timeout";
	if (error instanceof VerifyError || error instanceof SettleError) return `status ${error.statusCode}`;
	if (!(error instanceof Error)) return "unknown";
	const status = /^Facilitator \w+ failed \((\d{3})\)/.exec(error.message)?.[1];
	if (status !== undefined) return `status ${status}`;
	const { cause } = error;
	const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
	return typeof code === "string" ? `${error.name} ${code}` : error.name;
}
