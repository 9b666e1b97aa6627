/** The service in a few words, once for the manifest, the health answers and the OpenAPI document. */
export const about = {
	name: "Energy Infrastructure Data Service",
	/** Version of the interface, not of the software (specification 9). */
	version: "1.0.0",
	description:
		"Interconnection requests of the US grid operators in one list, what changed since yesterday, how far each has come, who is behind it, what the public record says of them, what tax credit each can claim, and how likely it is to be built.",
} as const;
