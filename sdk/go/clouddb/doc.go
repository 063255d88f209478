// Pulumi provider for the management API of a managed-database platform: VPCs, peerings, database services and read replica sets.
package clouddb
