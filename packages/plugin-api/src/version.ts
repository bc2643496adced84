/** The version of this interface. A host loads plugins of the same major whose minor is not above its own. */
export const API_VERSION = '0.1.0';
