/** Who answers for the service, as OpenAPI and AsyncAPI write it: as far as it is configured. `publicUrl` is empty where it is not. */
export const contactOf = (
	email: string | undefined,
	publicUrl = "",
): { name: string; url?: string; email?: string } => ({
	name: "Operator of this service",
	...(publicUrl !== "" && { url: `${publicUrl}/docs` }),
	...(email !== undefined && { email }),
});
